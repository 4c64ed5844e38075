/**
 * A process that keeps some connections busy: one request in flight on each, for some time. Told by a message what to ask;
 * sends `measuring` when the warm-up is over, and then what came back.
 */
import net from 'node:net';

export interface Ask {
  readonly method: string;
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Where it is not the job's. */
  readonly authorization?: string;
}

export interface Job {
  readonly port: number;
  readonly authorization: string;
  readonly connections: number;
  readonly warmupMs: number;
  readonly measuredMs: number;
  /** Sent in turn, again from the beginning after the last. */
  readonly asks: readonly Ask[];
}

export interface Outcome {
  readonly answers: number;
  /** The first answer that was no success. */
  readonly failure: string | undefined;
  readonly medianMs: number;
}

process.once('message', (job: Job) => {
  run(job);
});

function run(job: Job): void {
  const requests = job.asks.map((ask) => requestText(job, ask));
  const end = performance.now() + job.warmupMs + job.measuredMs;
  let next = 0;
  let times: number[] = [];
  let failure: string | undefined;
  let open = job.connections;
  setTimeout(() => {
    times = [];
    process.send?.('measuring');
  }, job.warmupMs);
  const closed = () => {
    if (--open > 0) return;
    const medianMs = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    process.send?.({ answers: times.length, failure, medianMs } satisfies Outcome, () => process.exit());
  };
  for (let count = 0; count < job.connections; count++) {
    const socket = net.connect({ host: '127.0.0.1', port: job.port, noDelay: true });
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      if (sentAt > end) socket.end();
      else socket.write(requests[next++ % requests.length] ?? '');
    };
    answersOf(socket, (status, body) => {
      times.push(performance.now() - sentAt);
      if (status >= 400) failure ??= `${status} ${body.slice(0, 300)}`;
      send();
    });
    socket.on('connect', send).on('close', closed);
    socket.on('error', (error) => (failure ??= String(error)));
  }
}

function requestText(job: Job, { method, path, body, authorization = job.authorization }: Ask): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nAuthorization: ${authorization}\r\nAccept: application/json\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Calls `answered` for each answer. All answers that are measured have a Content-Length. */
function answersOf(socket: net.Socket, answered: (status: number, body: string) => void): void {
  let chunks: Buffer[] = [];
  let missing = 0;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    const bytes = Buffer.concat(chunks);
    const head = bytes.indexOf('\r\n\r\n');
    const length =
      head < 0 ? Number.NaN : Number(/content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]);
    missing = head < 0 ? 0 : head + 4 + length - bytes.length;
    chunks = [bytes];
    if (head < 0 || missing > 0) return;
    chunks = [];
    missing = 0;
    answered(Number(bytes.toString('latin1', 9, 12)), bytes.toString('utf8', head + 4));
  });
}
