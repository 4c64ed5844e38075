/** Cancels a backend's statement by the protocol's own request, on a separate connection with the backend's key. */
import { connect, type Socket } from 'node:net';
import type { Client } from 'pg';

/** The part of the driver's client that knows its backend. */
interface Backend {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

const cancelCode = 80_877_102;
const patienceMs = 2_000;

/**
 * Resolves when the server has signalled the backend: statements that start later are not affected. Rejects when that
 * is unknown.
 */
export async function requestCancel(client: Client): Promise<void> {
  const { processID, secretKey } = client as unknown as Backend;
  if (processID === null || secretKey === null) throw new Error('The server has given no key to cancel with');
  const request = Buffer.alloc(16);
  [request.length, cancelCode, processID, secretKey].forEach((number, at) => request.writeInt32BE(number, at * 4));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = sameServer(client);
  socket.once('connect', () => socket.write(request));
  // The server closes the connection after signalling the backend.
  socket.resume().once('end', resolve).once('error', reject);
  socket.setTimeout(patienceMs, () => reject(new Error('The server did not take the request to cancel')));
  await promise.finally(() => socket.destroy());
}

/** Connects to the client's actual server, which its host name may no longer lead to. */
function sameServer({ host, port, connection }: Client): Socket {
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  const { remoteAddress = host, remotePort = port } = connection.stream as Socket;
  return connect(remotePort, remoteAddress);
}
