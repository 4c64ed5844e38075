/** Gives access tokens for a refresh token, and says whose they are: as the providers of mail do that sign in by OAuth 2.0. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface TokenServer {
  readonly tokenUrl: string;
  readonly infoUrl: string;
  /** How many access tokens it has given. */
  given(): number;
  /** Ends the access token before its time. */
  end(): void;
  /** Takes `refresh` again; from now on each access token comes with another refresh token, and the one that was used is good no more. */
  rotate(): void;
  /** Takes the refresh token back. */
  revoke(): void;
  stop(): Promise<void>;
}

/** One for `refresh`, which is the user's. */
export async function startTokenServer(user: string): Promise<TokenServer> {
  let count = 0;
  let isRevoked = false;
  let isRotating = false;
  let refreshToken = 'refresh';
  let isEnded = false;
  async function answerTo(request: IncomingMessage): Promise<readonly [status: number, body: object]> {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname === '/info') {
      const isCurrent = !isEnded && url.searchParams.get('access_token') === `access-${count}`;
      return isCurrent ? [200, { email: user }] : [401, { error: 'invalid_token' }];
    }
    const form = new URLSearchParams(await text(request));
    const wanted = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'kith' };
    const isGood = Object.entries(wanted).every(([name, value]) => form.get(name) === value);
    if (!isGood || isRevoked) {
      return [400, { error: 'invalid_grant', error_description: 'The token was taken back' }];
    }
    isEnded = false;
    count++;
    if (isRotating) refreshToken = `refresh-${count}`;
    const next = isRotating ? { refresh_token: refreshToken } : {};
    return [200, { access_token: `access-${count}`, token_type: 'Bearer', expires_in: 3_600, ...next }];
  }
  const server = createServer((request, response) => {
    void answerTo(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    tokenUrl: `${address}/token`,
    infoUrl: `${address}/info?access_token=`,
    given: () => count,
    end: () => void (isEnded = true),
    rotate() {
      isRotating = true;
      isRevoked = false;
    },
    revoke: () => void (isRevoked = true),
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}
