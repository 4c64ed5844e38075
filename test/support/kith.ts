/** The service itself, on a database of its own: what black-box tests talk to. */
import { createKeyring } from '../../src/auth/keys.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { startService } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import type { ProvisionDeps } from '../../src/provision/deps.ts';
import { createUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { closeKeptConnections } from './kept-connections.ts';
import { silentLog } from './log.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  readonly json: any;
}

/** Sends requests as one user. `path` is below /api/v1. */
export interface Client {
  readonly token: string;
  readonly workspaceUserId: string;
  get(
    path: string,
    query?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** Any request to any path of the service. */
  send(path: string, init?: RequestInit): Promise<Reply>;
}

export interface TestOrganization {
  readonly id: string;
  readonly schema: string;
  readonly admin: Client;
  /** A further user with a role of that name. */
  user(role: string): Promise<Client>;
}

export interface TestKith {
  readonly url: string;
  readonly database: TestDatabase;
  readonly deps: ProvisionDeps;
  organization(settings?: {
    readonly currency?: string;
    readonly timezone?: string;
    readonly adminName?: string;
  }): Promise<TestOrganization>;
  /** A client with any token. */
  client(token: string): Client;
  /** Ends the service; what it gives starts another one at the same address, on the same database. */
  pause(): Promise<() => Promise<void>>;
  /** Ends it, and its database, unless that is to stay under this name. */
  stop(keptAs?: string): Promise<void>;
}

export const kithSecret = 'a-secret-of-the-tests-that-is-long-enough-0000';

/** Environment variables go over the defaults of tests: no limits, no demo, nothing beside requests, any free port. Its database is empty, or a copy of `template`. */
export async function startKith(env: Readonly<Record<string, string>> = {}, template?: string): Promise<TestKith> {
  const database = await testDatabase({}, template);
  const settings = {
    PORT: '0',
    DATABASE_URL: database.url,
    KITH_SECRET_KEY: kithSecret,
    KITH_RATE_LIMITS: 'off',
    KITH_DEMO: 'off',
    KITH_JOBS: 'off',
    KITH_WORKERS: '1',
    KITH_LOG_LEVEL: 'silent',
    ...env,
  };
  let service = await startService(readConfig(settings).config, [], () => {});
  const { url } = service;
  const keyring = createKeyring(kithSecret, []);
  const connect = (url: string) => connectDatabase({ connection: url, log: silentLog });
  const directory = createDirectory({ main: database.database, keyring, connect, clock: systemClock });
  const tokens = createTokens(keyring, systemClock, directory.installationId);
  const deps: ProvisionDeps = { directory, keyring, tokens, clock: systemClock };
  const client = (token: string, workspaceUserId = '') => clientOf(url, token, workspaceUserId);
  let people = 0;
  return {
    url,
    database,
    deps,
    client,
    async organization({ adminName = 'Ada Admin', ...settings } = {}) {
      const made = await createOrganization(deps, {
        name: 'Test',
        adminName,
        adminEmail: `admin${++people}@kith.test`,
        ...settings,
      });
      return {
        id: made.organizationId,
        schema: made.schemaName,
        admin: client(made.token, made.workspaceUserId),
        async user(role) {
          const email = `user${++people}@kith.test`;
          const user = await createUser(deps, made.organizationId, { name: `${role} ${people}`, email, role });
          return client(user.token, user.workspaceUserId);
        },
      };
    },
    async pause() {
      closeKeptConnections();
      await service.stop();
      return async () => {
        service = await startService(readConfig({ ...settings, PORT: new URL(url).port }).config, [], () => {});
      };
    },
    async stop(keptAs) {
      closeKeptConnections();
      await service.stop();
      await directory.close();
      await (keptAs === undefined ? database.drop() : database.keepAs(keptAs));
    },
  };
}

/** Sends requests to the service at `url` with the token. */
export function clientOf(url: string, token: string, workspaceUserId: string): Client {
  const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      send(`/api/v1${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }),
        ...(body === undefined && { headers }),
      });
  return {
    token,
    workspaceUserId,
    send,
    get: (path, query = {}, headers = {}) => send(`/api/v1${path}${queryText(query)}`, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: (path) => send(`/api/v1${path}`, { method: 'DELETE' }),
  };
}

/** Objects and arrays travel as JSON text. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = pairs.map(
    ([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as [string, string],
  );
  return text.length === 0 ? '' : `?${new URLSearchParams(text).toString()}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
