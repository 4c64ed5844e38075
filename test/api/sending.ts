/** Messages for tests: accounts of the provider without an outside, and what is written by them. */
import { randomUUID } from 'node:crypto';
import { kithJson } from '../cli/in-process.ts';
import { kithSecret, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';

/** A line that connects an account. */
export const account = (user: string, channels: readonly string[], more: object = {}) => ({
  kind: 'integration',
  user,
  provider: 'sandbox',
  channels,
  account_email: user,
  status: 'active',
  send_enabled: true,
  ...more,
});

let number = 0;
/** An email that is like no other. */
export const email = (more: object = {}) => ({
  channel: 'email',
  to: ['Bob <bob@globex.test>'],
  subject: `Offer ${++number}`,
  body: '<p>Dear <b>Bob</b></p>',
  ...more,
});

export const preview = (client: Client, message: object): Promise<Reply> => client.post('/messages/preview', message);

export const send = (client: Client, message: object, confirm_token?: string): Promise<Reply> =>
  client.post('/messages/send', { ...message, confirm_token });

/** The id of the client's thread that the provider calls so. */
export async function threadOf(client: Client, external: string): Promise<string> {
  const { data } = (await client.get('/inbox/threads', { sort_by: 'created_at' })).json;
  return data.find((thread: { external_thread_id: string }) => thread.external_thread_id === external).id;
}

/** What the command prints. */
export interface Outbox {
  readonly sent: readonly { readonly subject: string | null; readonly body: string }[];
  readonly marks: readonly object[];
}

/** What accounts of the organization have sent; `args` narrow it. */
export async function outboxOf(
  kith: TestKith,
  { id }: Pick<TestOrganization, 'id'>,
  ...args: string[]
): Promise<Outbox> {
  const environment = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret };
  return (await kithJson(['sandbox', 'outbox', '--org', id, ...args], environment)).json as unknown as Outbox;
}

interface World {
  readonly threads: Readonly<Record<string, string>>;
  readonly benEmail: string;
}

/** What each is, the message that Ada sends, and how it is refused; the world is asked for when it is there. */
export const refusedMessages = (world: () => World): [what: string, message: () => object, code: string][] => [
  ['CSM-03: no body', () => email({ body: undefined }), 'MISSING_REQUIRED_FIELD'],
  ['CSM-03: a body without text', () => email({ body: '<p> </p><script>x</script>' }), 'MISSING_REQUIRED_FIELD'],
  ['CSM-05: no recipients', () => email({ to: undefined }), 'MISSING_REQUIRED_FIELD'],
  ['CSM-05: an empty list of recipients', () => email({ to: [] }), 'MISSING_REQUIRED_FIELD'],
  ['CSM-07: no subject', () => email({ subject: undefined }), 'MISSING_REQUIRED_FIELD'],
  ['CSM-07: an empty subject', () => email({ subject: '  ' }), 'MISSING_REQUIRED_FIELD'],
  ['a subject with a further header', () => email({ subject: 'a\r\nBcc: x@y.test' }), 'VALIDATION_ERROR'],
  ['a recipient with a further header', () => email({ to: ['a\r\nBcc: x@y.test'] }), 'VALIDATION_ERROR'],
  ['a name with a further header', () => email({ to: ['a\r\nBcc: x <x@y.test>'] }), 'VALIDATION_ERROR'],
  ['two recipients in one', () => email({ cc: ['a@y.test, b@y.test'] }), 'VALIDATION_ERROR'],
  ['no address', () => email({ bcc: ['Bob'] }), 'VALIDATION_ERROR'],
  ['too many', () => email({ cc: Array.from({ length: 100 }, (_, at) => `c${at}@y.test`) }), 'VALIDATION_ERROR'],
  ['CSM-02: another channel', () => email({ channel: 'telegram' }), 'INVALID_CHANNEL'],
  ['CSM-04: a thread of another channel', () => email({ thread_id: world().threads['w-1'] }), 'INVALID_CHANNEL'],
  ['CSM-14: a thread of somebody else', () => email({ thread_id: world().threads['t-9'] }), 'PERMISSION_DENIED'],
  ['a thread that there is not', () => email({ thread_id: randomUUID() }), 'RECORD_NOT_FOUND'],
  ['a thread that is no id', () => email({ thread_id: 't-1' }), 'RECORD_NOT_FOUND'],
  ['CSM-14: an account of somebody else', () => email({ from_account_email: world().benEmail }), 'NO_ACCOUNT'],
  ['a chat for email', () => email({ chat_id: 'w-1' }), 'VALIDATION_ERROR'],
  [
    'CSM-12: a linkedin message that replies to none',
    () => ({ channel: 'linkedin', body: 'Hi' }),
    'MISSING_REQUIRED_FIELD',
  ],
  ['CSM-12: a chat for linkedin', () => ({ channel: 'linkedin', body: 'Hi', chat_id: 'l-1' }), 'VALIDATION_ERROR'],
  ['CSM-13: a whatsapp message to nobody', () => ({ channel: 'whatsapp', body: 'Hi' }), 'MISSING_REQUIRED_FIELD'],
  ['a chat that there is not', () => ({ channel: 'whatsapp', body: 'Hi', chat_id: 'w-9' }), 'RECORD_NOT_FOUND'],
  [
    'a chat of another thread',
    () => ({ channel: 'whatsapp', body: 'Hi', thread_id: world().threads['t-1'], chat_id: 'w-1' }),
    'INVALID_CHANNEL',
  ],
  [
    'recipients of whatsapp',
    () => ({ channel: 'whatsapp', body: 'Hi', chat_id: 'w-1', to: ['x@y.test'] }),
    'VALIDATION_ERROR',
  ],
];
