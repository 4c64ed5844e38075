/** What tests of accounts have in common: an organization whose admin connects accounts by the command line. */
import { kithJson } from '../cli/in-process.ts';
import { emailOf } from '../api/conversations.ts';
import { kithSecret, startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';

type Outcome = ReturnType<typeof kithJson>;

export interface Accounts {
  readonly kith: TestKith;
  readonly organization: TestOrganization;
  readonly admin: Client;
  /** The admin's address. */
  readonly user: string;
  /** `kith account …`; `env` stands over the settings of the service. */
  command(args: readonly string[], input?: string, env?: Record<string, string>): Outcome;
  add(document: object, env?: Record<string, string>): Outcome;
  /** The id of the account that the document connects. */
  connected(document: object): Promise<string>;
  sync(id: string): Outcome;
  /** The threads, latest first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of them, the test says
  threads(): Promise<any[]>;
  stop(): Promise<void>;
}

interface Wanted {
  /** Settings of the service and of the commands. */
  readonly env?: Record<string, string>;
  readonly timezone?: string;
}

export async function startAccounts({ env = {}, timezone }: Wanted = {}): Promise<Accounts> {
  const hosts = { KITH_PRIVATE_HOSTS: '127.0.0.1', ...env };
  const kith = await startKith(hosts);
  const organization = await kith.organization(timezone === undefined ? {} : { timezone });
  const { admin } = organization;
  const user = await emailOf(admin);
  const { KITH_PRIVATE_HOSTS } = hosts;
  const settings = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_PRIVATE_HOSTS };
  const command: Accounts['command'] = (args, input = '', over = {}) =>
    kithJson(['account', ...args, '--org', organization.id], { ...settings, ...over }, input);
  const add: Accounts['add'] = (document, over) =>
    command(['add', '--user', user, '--file', '-'], JSON.stringify(document), over);
  return {
    kith,
    organization,
    admin,
    user,
    command,
    add,
    async connected(document) {
      const { code, json } = await add(document);
      if (code !== 0) throw new Error(JSON.stringify(json));
      return json['integrationId'] as string;
    },
    sync: (id) => command(['sync', '--account', id]),
    threads: async () => (await admin.get('/inbox/threads', { limit: '100' })).json.data,
    stop: () => kith.stop(),
  };
}
