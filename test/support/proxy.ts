/** A relay in front of a server that a test can freeze: connections stay open, nothing passes. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net';
import type { Connection } from '../../src/postgres/session.ts';

export interface Proxy {
  readonly connection: Connection;
  freeze(): void;
  thaw(): void;
  /** Breaks the connections that there are. */
  cut(): void;
  close(): void;
}

export async function startProxy(server: Connection): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const relay = createServer((near) => {
    const far = connect(target(server));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen) from.pause();
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  return {
    connection: through(server, port),
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    close() {
      relay.close();
      cut();
    },
  };
}

function target(server: Connection): NetConnectOpts {
  const url = typeof server === 'string' ? new URL(server) : undefined;
  const host = typeof server === 'string' ? (url?.searchParams.get('host') ?? url?.hostname ?? '') : server.host;
  const port = typeof server === 'string' ? Number(url?.port || 5432) : server.port;
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

function through(server: Connection, port: number): Connection {
  if (typeof server !== 'string') return { ...server, host: '127.0.0.1', port };
  const url = new URL(server);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
