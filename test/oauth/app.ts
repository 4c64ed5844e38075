/** An app that asks for access as the RFCs say, and the person who answers in a browser. */
import { createHash, randomBytes } from 'node:crypto';
import type { Browser, Shown } from '../signin/browser.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  readonly json: any;
}

/** Sends a form to the service, as programs do. */
export async function post(url: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return answerOf(reply);
}

/** Registers an app. */
export async function register(base: string, metadata: object): Promise<Answer> {
  const reply = await fetch(`${base}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return answerOf(reply);
}

async function answerOf(reply: Response): Promise<Answer> {
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, json: text === '' ? undefined : JSON.parse(text) };
}

export interface App {
  readonly clientId: string;
  /** Opens the app's request in the browser, and says what is shown there. */
  ask(browser: Browser, over?: Readonly<Record<string, string | undefined>>): Promise<Shown>;
  /** A code, which the person consented to. */
  code(browser: Browser, over?: Readonly<Record<string, string>>): Promise<string>;
  exchange(code: string, over?: Readonly<Record<string, string>>): Promise<Answer>;
  refresh(token: string, over?: Readonly<Record<string, string>>): Promise<Answer>;
  revoke(token: string, over?: Readonly<Record<string, string>>): Promise<Answer>;
}

export const redirectUri = 'http://127.0.0.1:43123/callback';

/** An app that is registered there. */
export async function newApp(base: string, name = 'Test app'): Promise<App> {
  const { json } = await register(base, { client_name: name, redirect_uris: [redirectUri] });
  const clientId = json.client_id as string;
  const verifier = randomBytes(32).toString('base64url');
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    post(`${base}/api/oauth/${path}`, { client_id: clientId, ...fields });
  const app: App = {
    clientId,
    ask(browser, over = {}) {
      const query = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state: 'of the app',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...over,
      };
      const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return browser.open(`/oauth/authorize?${new URLSearchParams(given).toString()}`);
    },
    async code(browser, over) {
      const { url } = await consent(browser, await app.ask(browser, over), 'yes');
      return new URL(url).searchParams.get('code') ?? '';
    },
    exchange: (code, over) =>
      form('token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...over,
      }),
    refresh: (token, over) => form('token', { grant_type: 'refresh_token', refresh_token: token, ...over }),
    revoke: (token, over) => form('revoke', { token, ...over }),
  };
  return app;
}

/** Answers the question that is shown. */
export function consent(browser: Browser, shown: Shown, answer: 'yes' | 'no'): Promise<Shown> {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(shown.html)?.[1] ?? '';
  return browser.submit('/oauth/consent', { made_for: field('made_for'), question: field('question'), answer });
}
