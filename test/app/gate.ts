/** A way to a test's database that can be shut: connections break, and nobody listens, until it is opened again. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, NetConnectOpts, Server, Socket } from 'node:net';
import type { TestDatabase } from '../support/database.ts';

export interface Gate {
  /** Listens on the same port each time. */
  open(): Promise<void>;
  shut(): void;
  /** The database's address through the gate; known once it was open. */
  url(): string;
}

export function gateTo({ url }: Pick<TestDatabase, 'url'>): Gate {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  return {
    async open() {
      server = createServer((near) => {
        const far = connect(targetOf(new URL(url)));
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            near.destroy();
            far.destroy();
          });
        }
        near.pipe(far).pipe(near);
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    },
    shut() {
      server?.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    url() {
      const gated = new URL(url);
      gated.searchParams.delete('host');
      gated.host = `127.0.0.1:${port}`;
      return gated.href;
    },
  };
}

function targetOf(url: URL): NetConnectOpts {
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = Number(url.port || 5432);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
