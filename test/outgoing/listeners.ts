/** Servers on loopback that count what comes, and a watch on the sockets that this process opens. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createOutgoing, type Outgoing } from '../../src/outgoing/outgoing.ts';
import { parsePrivateHost } from '../../src/outgoing/private-hosts.ts';
import type { Resolve } from '../../src/outgoing/resolve.ts';

export interface Listener {
  readonly port: number;
  /** Connections so far. */
  count(): number;
  close(): Promise<void>;
}

async function listening(server: Server, host: string): Promise<Listener> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    connections++;
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
  });
  await once(server.listen(0, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => connections,
    async close() {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** A server that speaks HTTP. */
export function webServer(answer: RequestListener, host = '127.0.0.1'): Promise<Listener> {
  return listening(createHttp(answer), host);
}

/** A server that does with a connection what it is told. */
export function rawServer(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<Listener> {
  return listening(createServer(onSocket), host);
}

export interface Watched {
  readonly outgoing: Outgoing;
  /** What the operator's log has. */
  readonly logged: object[];
}

/** The way out with these entries of KITH_PRIVATE_HOSTS. */
export function wayOut(privateHosts: readonly string[] = [], resolve?: Resolve): Watched {
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const entries = privateHosts.map((text) => {
    const entry = parsePrivateHost(text);
    if (!entry) throw new Error(`${text} is no entry`);
    return entry;
  });
  const log = { info: note, warn: note };
  return { logged, outgoing: createOutgoing({ privateHosts: entries, log, ...(resolve && { resolve }) }) };
}

/** How many sockets of TCP this process began to connect while `work` went on. */
export async function socketsOpened(work: () => Promise<unknown>): Promise<number> {
  let sockets = 0;
  const count = () => void sockets++;
  subscribe('net.client.socket', count);
  try {
    await work();
    return sockets;
  } finally {
    unsubscribe('net.client.socket', count);
  }
}
