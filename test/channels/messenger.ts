/** What tests of messengers have in common: an organization whose admin connects accounts, and how providers call in. */
import { kithJson } from '../cli/in-process.ts';
import { emailOf } from '../api/conversations.ts';
import { kithSecret, startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';

export interface Messenger {
  readonly kith: TestKith;
  readonly organization: TestOrganization;
  readonly admin: Client;
  command(args: readonly string[], input?: string): ReturnType<typeof kithJson>;
  add(document: object): ReturnType<typeof kithJson>;
  /** The id of the account that the document connects. */
  connected(document: object): Promise<string>;
  /** What is told of the account. */
  account(id: string): Promise<Record<string, unknown>>;
  /** The threads, latest first. */
  threads(): Promise<readonly { readonly id: string; readonly external_thread_id: string }[]>;
  /** The messages of the thread that the provider calls so, latest first. */
  messages(externalId: string): Promise<readonly Record<string, unknown>[]>;
  /** A provider calls in. */
  hook(
    path: string,
    body: string | object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: string }>;
  stop(): Promise<void>;
}

export async function startMessenger(env: Record<string, string> = {}): Promise<Messenger> {
  const kith = await startKith({ KITH_PRIVATE_HOSTS: '127.0.0.1', KITH_SYNC_SECONDS: '3600', ...env });
  const organization = await kith.organization();
  const { admin } = organization;
  const user = await emailOf(admin);
  const command: Messenger['command'] = (args, input = '') =>
    kithJson(
      ['account', ...args, '--org', organization.id],
      { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_PRIVATE_HOSTS: '127.0.0.1' },
      input,
    );
  const add: Messenger['add'] = (document) => command(['add', '--user', user, '--file', '-'], JSON.stringify(document));
  const threads: Messenger['threads'] = async () => (await admin.get('/inbox/threads', { limit: '100' })).json.data;
  return {
    kith,
    organization,
    admin,
    command,
    add,
    async connected(document) {
      const { code, json } = await add(document);
      if (code !== 0) throw new Error(JSON.stringify(json));
      return json['integrationId'] as string;
    },
    async account(id) {
      const { accounts } = (await command(['list'])).json as { accounts: { id: string }[] };
      return accounts.find((one) => one.id === id) ?? {};
    },
    threads,
    async messages(externalId) {
      const thread = (await threads()).find((one) => one.external_thread_id === externalId);
      return thread ? (await admin.get(`/inbox/threads/${thread.id}`)).json.messages : [];
    },
    async hook(path, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const all = { 'content-type': 'application/json', ...headers };
      const response = await fetch(`${kith.url}/api/hooks/${path}`, { method: 'POST', headers: all, body: text });
      return { status: response.status, body: await response.text() };
    },
    stop: () => kith.stop(),
  };
}
