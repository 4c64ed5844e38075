/** A mail server that keeps what it is sent. */
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly id: string;
  readonly text: string;
  /** The first address in it. */
  readonly link: URL;
}

export interface MailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Refuses so many mails first, as a server does that is overloaded. */
  refuse(mails: number): void;
  /** The oldest mail to the address that nobody has asked for, when it is there. */
  next(to: string): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const asked = new Set<ReceivedMail>();
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const answer = (line: string) => void socket.write(`${line}\r\n`);
    let to = '';
    let data: string[] | undefined;
    answer('220 mail.test');
    createInterface(socket).on('line', (line) => {
      if (data !== undefined) {
        if (line !== '.') return void data.push(line.replace(/^\.\./, '.'));
        const mail = mailOf(to, data);
        data = undefined;
        answer('250 taken');
        mails.push(mail);
        return waiting.forEach((look) => look());
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (verb === 'MAIL' && refused > 0) {
        refused--;
        return answer('451 later');
      }
      if (verb === 'DATA') data = [];
      answer(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 mail.test');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    refuse: (count) => void (refused = count),
    next: (to) =>
      new Promise((resolve) => {
        const look = () => {
          const found = mails.find((mail) => mail.to === to && !asked.has(mail));
          if (!found) return;
          asked.add(found);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function mailOf(to: string, lines: readonly string[]): ReceivedMail {
  const end = lines.indexOf('');
  const head = lines.slice(0, end).join('\n').replaceAll(/\n\s+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const body = lines.slice(end + 1).join('\n');
  const isQuoted = header('content-transfer-encoding') === 'quoted-printable';
  const plain = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const text = isQuoted ? plain : body;
  const link = new URL(/https?:\S+/.exec(text)?.[0] ?? 'http://none.test');
  return { to, subject: header('subject'), id: header('message-id'), text, link };
}
