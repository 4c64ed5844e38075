/** Stands before a server of calendars, and makes of it one that knows less, asks for other credentials, or breaks off. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface DavProxy {
  readonly url: string;
  /** The portions of meetings that were asked for since it was looked at last: the paths in each. */
  portions(): readonly (readonly string[])[];
  /** From now on, what it answers breaks off after so many portions of meetings. */
  breakAfter(portions: number): void;
  stop(): Promise<void>;
}

export interface DavProxyOptions {
  /** What it does not have: it says so, but for `reports`, which it only refuses. */
  readonly without?: readonly ('tokens' | 'reports' | 'ctags')[];
  /** Takes access tokens alone, of which this address says whether they are good. */
  readonly tokenInfoUrl?: string;
}

const password = `Basic ${Buffer.from('ada:secret').toString('base64')}`;

/** One before the server on that port of this machine. */
export async function startDavProxy(
  port: number,
  { without = [], tokenInfoUrl }: DavProxyOptions = {},
): Promise<DavProxy> {
  let left = Infinity;
  let asked: string[][] = [];
  const lacks = (what: (typeof without)[number]) => without.includes(what);

  async function proof({ authorization = '' }: IncomingMessage['headers']): Promise<string | undefined> {
    if (tokenInfoUrl === undefined) return authorization;
    const [, token] = /^Bearer (.+)$/.exec(authorization) ?? [];
    const isGood = token !== undefined && (await fetch(`${tokenInfoUrl}${token}`)).ok;
    return isGood ? password : undefined;
  }

  async function answerTo({ method = '', url = '', headers }: IncomingMessage, body: string) {
    const authorization = await proof(headers);
    if (authorization === undefined) return { status: 401, type: 'text/plain', text: 'No' };
    if (body.includes('sync-collection') && method === 'REPORT' && (lacks('tokens') || lacks('reports')))
      return { status: 403, type: 'application/xml', text: '<error xmlns="DAV:"><supported-report/></error>' };
    const depth = String(headers['depth'] ?? '0');
    const passed = { method, headers: { authorization, depth }, ...(body !== '' && { body }) };
    const answer = await fetch(`http://127.0.0.1:${port}${url}`, passed);
    const type = answer.headers.get('content-type') ?? 'text/plain';
    return { status: answer.status, type, text: lessIn(await answer.text()) };
  }

  function lessIn(text: string): string {
    const tokens = lacks('tokens')
      ? text.replaceAll(/<(\w*:)?sync-token>[^<]*<\/(\w*:)?sync-token>|<(\w*:)?sync-collection ?\/>/g, '')
      : text;
    return lacks('ctags') ? tokens.replaceAll(/<(\w*:)?getctag>[^<]*<\/(\w*:)?getctag>/g, '') : tokens;
  }

  const server = createServer((request, response) => {
    void buffer(request).then(async (bytes) => {
      const body = bytes.toString();
      const { status, type, text } = await answerTo(request, body);
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
      if (!body.includes('calendar-multiget')) return response.end(text);
      asked.push([...body.matchAll(/<href>([^<]*)<\/href>/g)].map(([, path]) => path ?? ''));
      if (left-- > 0) return response.end(text);
      return response.write(text.slice(0, 100), () => response.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    portions() {
      const before = asked;
      asked = [];
      return before;
    },
    breakAfter: (portions) => void (left = portions),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
