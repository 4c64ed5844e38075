/** One listening socket. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, ServerOpts, Socket } from 'node:net';

export interface Listener {
  /** Where it listens. */
  readonly place: AddressInfo;
  /** How many connections may wait to be accepted; as many as Node's default has, when it is not said. */
  setQueue(length?: number): void;
  /** Nobody can connect any more; the system resets who waits. */
  close(): void;
}

/** Resolves when it listens, rejects with the system's error where it cannot. */
export async function openListener(
  address: string,
  port: number,
  options: ServerOpts,
  take: (connection: Socket) => void,
): Promise<Listener> {
  // A connection that cannot be accepted is lost, and no other.
  const createOne = () => createServer(options, take).on('error', () => {});
  let server: Server = createOne();
  server.listen(port, address);
  await once(server, 'listening');
  return {
    place: server.address() as AddressInfo,
    setQueue(length) {
      // Node changes the length for a second server on the same socket, which takes the first one's place.
      server = createOne().listen(server, length);
    },
    close: () => void server.close(),
  };
}
