/** A name server on loopback that answers each question as it is told. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** The names that were asked for, once for each family. */
  readonly asked: string[];
  close(): void;
}

/** `answer` gives the IPv4 addresses of a name at its n-th question, from 1 on; undefined answers nothing at all. */
export async function nameServer(
  answer: (name: string, question: number) => readonly string[] | undefined,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query);
    const isIPv4 = query.readUInt16BE(end) === 1;
    asked.push(name);
    const addresses = answer(name, isIPv4 ? asked.filter((other) => other === name).length : 0);
    if (addresses) socket.send(reply(query, end + 4, isIPv4 ? addresses : []), from.port, from.address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}

/** The name that a query is about, and where it ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** An answer to be forgotten at once. */
function reply(query: Buffer, end: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  for (const [at, count] of [1, addresses.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + at * 2);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
