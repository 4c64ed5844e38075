/** The Cloud API of WhatsApp for tests: numbers, messages that go out, and what its hook would be told. */
import { createHmac } from 'node:crypto';
import { startJsonServer, type Answered, type Asked } from './json-server.ts';

interface SentText {
  readonly to: string;
  readonly text: { readonly body: string };
  readonly biz_opaque_callback_data: string;
}

export interface WhatsappServer {
  /** A document for `kith account add`. */
  account(number: string): Record<string, string>;
  /** The messages that went out. */
  readonly sent: readonly SentText[];
  /** Those, and the ones that it did not take. */
  readonly tried: readonly SentText[];
  /** How the next message is answered: with an error of the Graph API, by breaking off, or with a failure that says nothing. */
  next(answer: { code: number; message: string; status?: number } | 'break' | 'fail'): void;
  /** Whether tokens are good. */
  accept(isGood: boolean): void;
  stop(): Promise<void>;
}

export async function startWhatsappServer(): Promise<WhatsappServer> {
  const sent: SentText[] = [];
  const tried: SentText[] = [];
  let answer: Parameters<WhatsappServer['next']>[0] | undefined;
  let isGood = true;
  async function answerTo({ method, url, headers, body }: Asked): Promise<Answered | undefined> {
    const [, number = '', rest] = /^\/v23\.0\/(\d+)(\/messages)?$/.exec(url.pathname) ?? [];
    if (!isGood || headers.authorization !== `Bearer token-${number}`)
      return failed(401, { code: 190, message: 'Error validating access token: Session has expired' });
    if (method === 'GET') return { body: { id: number, display_phone_number: `+${number}` } };
    if (rest === undefined) return failed(404, { code: 100, message: 'Unsupported request' });
    const given = JSON.parse(body.toString()) as SentText;
    tried.push(given);
    const next = answer;
    answer = undefined;
    if (next === 'break') return undefined;
    if (next === 'fail') return { status: 502, body: [] };
    if (next) return failed(next.status ?? 400, next);
    sent.push(given);
    return { body: { messaging_product: 'whatsapp', messages: [{ id: `wamid.out${sent.length}` }] } };
  }
  const server = await startJsonServer(answerTo);
  return {
    account: (number) => ({
      provider: 'whatsapp',
      account_email: `+${number}`,
      base_url: `${server.url}/v23.0/`,
      phone_number_id: number,
      access_token: `token-${number}`,
      app_secret: 'app-secret',
      verify_token: 'verify-me',
    }),
    sent,
    tried,
    next: (given) => void (answer = given),
    accept: (given) => void (isGood = given),
    stop: server.stop,
  };
}

const failed = (status: number, { code, message }: { code: number; message: string }): Answered => ({
  status,
  body: { error: { code, message, type: 'OAuthException' } },
});

/** What the hook is told of a number. */
export const toldOf = (number: string, value: object, field = 'messages') =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [{ field, value: { messaging_product: 'whatsapp', metadata: { phone_number_id: number }, ...value } }],
      },
    ],
  });

/** The header that signs the body. */
export const signed = (body: string, key = 'app-secret') => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
});
