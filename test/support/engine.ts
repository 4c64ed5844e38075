/** The engine without a surface: operations on a database that a test has put something in front of. */
import { whole } from '../../src/lib/long-text.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { createDirectory } from '../../src/directory/directory.ts';
import { KithError } from '../../src/errors.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createModelCache } from '../../src/model/cache.ts';
import type { WriteMode } from '../../src/operations/door/write-mode.ts';
import { Download, JsonText, type Operation } from '../../src/operations/door/operation.ts';
import { createPerform } from '../../src/operations/door/perform.ts';
import { createSessions } from '../../src/operations/door/sessions.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createOrganization, type CreatedOrganization } from '../../src/provision/create-organization.ts';
import type { ProvisionDeps } from '../../src/provision/deps.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { silentLog } from './log.ts';

export interface Engine {
  readonly deps: ProvisionDeps;
  /** What the operation answers the holder of `token`, parsed; a download is its text. Throws what the operation throws. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  perform(token: string, operation: Operation, input: object, writeMode?: WriteMode): Promise<any>;
}

/** The root secret of engines in tests; a service with it takes their tokens. */
export const testSecret = 'a-secret-of-the-tests-that-is-long-enough-0000';

/** A process of its own as far as memory goes: sessions, models and tokens are remembered apart from other engines. */
export function createEngine(database: Database): Engine {
  const keyring = createKeyring(testSecret, []);
  const connect = () => Promise.reject(new Error('These tests have no second cluster'));
  const directory = createDirectory({ main: database, keyring, connect, clock: systemClock });
  const tokens = createTokens(keyring, systemClock, directory.installationId);
  // Noting the last use is no part of an operation, and comes once a minute.
  const tokenUse = { note: () => Promise.resolve() };
  const log = { ...silentLog, debug: () => {} };
  const sessions = createSessions({ directory, tokens, models: createModelCache(), tokenUse, clock: systemClock, log });
  const perform = createPerform({ sessions, limiter: undefined, clock: systemClock, keyring, wake: () => {} });
  return {
    deps: { directory, keyring, tokens, clock: systemClock },
    async perform(token, operation, input, writeMode) {
      const session = await sessions.open(`Bearer ${token}`);
      const answer = await perform(operation, session, () => input, {
        source: 'api',
        limitDecisions: [],
        warnings: [],
        report: () => {},
        writeMode: async () => writeMode,
      });
      if (answer instanceof Download) return (await Array.fromAsync(answer.chunks)).join('');
      return answer instanceof JsonText ? JSON.parse(whole(answer.text)) : answer;
    },
  };
}

/** Migrates the database and makes an organization on it. */
export async function firstOrganization({ deps }: Engine, database: Database): Promise<CreatedOrganization> {
  await migrate({ main: database, directory: deps.directory, clock: systemClock });
  return createOrganization(deps, { name: 'Test', adminName: 'Ada Admin', adminEmail: 'ada@kith.test' });
}

/** The code that a promise is refused with; `ok` when it is not. Throws what is no refusal of Kith's. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (error instanceof KithError) return error.code;
    throw error;
  }
}
