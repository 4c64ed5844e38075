/** The suite of conformance sends no token: this stands before the service and adds one, and passes on all else as it is. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Resolves to its address, and what stops it. */
export async function withToken(url: string, token: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(url);
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const passed = request(
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${token}` } },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
