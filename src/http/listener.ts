/** A listening socket. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, ServerOpts, Socket } from 'node:net';

export interface Listener {
  /** Its address. */
  readonly place: AddressInfo;
  /** Sets the accept queue's length; defaults to Node's. */
  setQueue(length?: number): void;
  /** Stops listening; the system resets waiting connections. */
  close(): void;
}

/** Resolves when it listens; rejects with the system's error. */
export async function openListener(
  address: string,
  port: number,
  options: ServerOpts,
  take: (connection: Socket) => void,
): Promise<Listener> {
  // An accept error affects only that connection.
  const createOne = () => createServer(options, take).on('error', () => {});
  let server: Server = createOne();
  server.listen(port, address);
  await once(server, 'listening');
  return {
    place: server.address() as AddressInfo,
    setQueue(length) {
      // A second server on the same socket replaces the first and sets the length.
      server = createOne().listen(server, length);
    },
    close: () => void server.close(),
  };
}
