/** A service over operations that a test has made up: all between HTTP and the database is the service's own. */
import { readConfig } from '../../src/config.ts';
import type { Route } from '../../src/http/bind.ts';
import { createServer, type HttpServer, type ServerParts } from '../../src/http/server.ts';
import { openKernel, type Kernel } from '../../src/kernel.ts';
import type { Log } from '../../src/lib/log.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { defaultPolicies, type Policies } from '../../src/limits/policies.ts';
import { createPerform } from '../../src/operations/door/perform.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { createUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { clientOf, kithSecret, type Client } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';

export interface Surface {
  readonly url: string;
  readonly server: HttpServer;
  readonly kernel: Kernel;
  readonly database: TestDatabase;
  readonly organization: { readonly id: string; readonly schema: string };
  readonly admin: Client;
  /** Any token's holder; without one, a caller who has none. */
  client(token?: string): Client;
  /** A further user with a role of that name. */
  user(role: string): Promise<Client & { readonly email: string }>;
  /** A further token of the user. */
  token(email: string, scopes: readonly string[]): Promise<Client>;
  /** Another process on the same database, and a client of it as the admin. */
  another(): Promise<{ readonly client: Client; readonly server: HttpServer; readonly url: string }>;
  stop(): Promise<void>;
}

const log: Log = { ...silentLog, debug: () => {} };

interface Options extends Pick<Parameters<typeof createPerform>[0], 'streams' | 'deadlines'> {
  readonly policies?: Partial<Policies>;
  /** What is beside REST. */
  app?(kernel: Kernel): NonNullable<ServerParts['app']>;
}

/** One process with one organization. Nothing is counted unless there are policies. */
export async function openSurface(
  routes: readonly Route[],
  { policies, app, ...bounds }: Options = {},
): Promise<Surface> {
  const database = await testDatabase();
  const { config } = readConfig({ DATABASE_URL: database.url, KITH_SECRET_KEY: kithSecret, KITH_LOG_LEVEL: 'silent' });
  const resources = new AsyncDisposableStack();
  resources.defer(() => database.drop());
  async function open() {
    const limiter = policies && createLimiter({ ...defaultPolicies, ...policies });
    const kernel = await openKernel(config, database.database, log, () => limiter);
    resources.defer(() => kernel.close());
    const { sessions, provision } = kernel;
    const perform = createPerform({ ...provision, sessions, limiter, wake: () => {}, ...bounds });
    const ready = () => Promise.resolve();
    const server = createServer({
      routes,
      sessions,
      perform,
      limiter,
      log,
      ready,
      version: '1.2.3',
      trustedProxies: [],
      ...(app && { app: app(kernel) }),
    });
    resources.defer(() => server.close());
    return { kernel, server, url: await server.listen('127.0.0.1', 0) };
  }
  const { kernel, server, url } = await open();
  const { provision } = kernel;
  const made = await createOrganization(provision, { name: 'Test', adminName: 'Ada', adminEmail: 'ada@kith.test' });
  let people = 0;
  return {
    url,
    server,
    kernel,
    database,
    organization: { id: made.organizationId, schema: made.schemaName },
    admin: clientOf(url, made.token, made.workspaceUserId),
    client: (token = '') => clientOf(url, token, ''),
    async user(role) {
      const email = `user${++people}@kith.test`;
      const user = await createUser(provision, made.organizationId, { name: email, email, role });
      return { ...clientOf(url, user.token, user.workspaceUserId), email };
    },
    async token(email, scopes) {
      const { token } = await createToken(provision, made.organizationId, { email, name: 'further', scopes });
      return clientOf(url, token, '');
    },
    async another() {
      const other = await open();
      return { server: other.server, url: other.url, client: clientOf(other.url, made.token, made.workspaceUserId) };
    },
    stop: () => resources.disposeAsync(),
  };
}
