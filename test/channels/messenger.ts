/** What tests of messengers have in common: an organization whose admin connects accounts, and how providers call in. */
import { startAccounts, type Accounts } from './accounts.ts';

export interface Messenger extends Accounts {
  /** What is told of the account. */
  account(id: string): Promise<Record<string, unknown>>;
  /** The messages of the thread that the provider calls so, latest first. */
  messages(externalId: string): Promise<readonly Record<string, unknown>[]>;
  /** A provider calls in. */
  hook(
    path: string,
    body: string | object,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: string }>;
}

export async function startMessenger(env: Record<string, string> = {}): Promise<Messenger> {
  const accounts = await startAccounts({ env: { KITH_SYNC_SECONDS: '3600', ...env } });
  const { kith, admin, command, threads } = accounts;
  return {
    ...accounts,
    async account(id) {
      const listed = (await command(['list'])).json as { accounts: { id: string }[] };
      return listed.accounts.find((one) => one.id === id) ?? {};
    },
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
  };
}
