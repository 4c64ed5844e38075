/** What the service and the command line share: everything between a database and the surfaces. */
import type { TSchema } from 'typebox';
import { createTokenUse } from './access/token-use.ts';
import type { Means } from './access/call.ts';
import { createKeyring, type Keyring } from './auth/keys.ts';
import { findSecret, loadSecret } from './auth/secret.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { newId } from './lib/id.ts';
import type { Log } from './lib/log.ts';
import type { Limiter } from './limits/limiter.ts';
import { createModelCache } from './model/cache.ts';
import type { Answer, Operation } from './operations/operation.ts';
import { createPerform, type Perform } from './operations/perform.ts';
import { keepHandingOver } from './operations/hand-over.ts';
import { keepSweeping } from './operations/sweep.ts';
import { keepUp } from './operations/upkeep.ts';
import { createSessions, type Session, type Sessions } from './operations/sessions.ts';
import { connectDatabase } from './postgres/connect.ts';
import type { Database } from './postgres/database.ts';
import type { ProvisionDeps } from './provision/deps.ts';
import { migrate, type MigrationResult } from './provision/migrate.ts';

/** An organization in the hands of its oldest active admin. */
export interface Desk {
  readonly session: Session;
  /** Performs in the admin's name; all that one desk does is one change set. */
  perform<Result extends Answer>(operation: Operation<TSchema, Result>, input: unknown): Promise<Result>;
}

export interface Kernel {
  readonly provision: ProvisionDeps;
  readonly sessions: Sessions;
  readonly perform: Perform;
  /** What had to be done so that this program can work on the database. */
  readonly migrated: MigrationResult;
  /** For this machine itself, which needs no token. Throws NOT_FOUND. `note` gets the warnings. */
  desk(organizationId: string, means: Means, note: (warning: string) => void): Promise<Desk>;
  /** Ends, again and again, what time ends. Returned is what stops it. */
  keepSweeping(): () => Promise<void>;
  /** Enters, again and again, what this process counts for the upkeep. Returned is what stops it. */
  keepHandingOver(): () => Promise<void>;
  /** Keeps organizations fast; of the processes on one database, one does it. Returned is what stops it. */
  keepUp(): () => Promise<void>;
  /** Closes what it opened; the main database is not its own. */
  close(): Promise<void>;
}

/** The way to the organizations, before anything is looked at or changed. */
export interface Ground {
  readonly keyring: Keyring;
  readonly directory: Directory;
  readonly clock: Clock;
}

/** For those who change nothing: where there is no secret none is made, and what is sealed stays so. */
export async function openGround(config: Config, main: Database, log: Log): Promise<Ground> {
  const secret = config.secretKey ?? (await findSecret(config.dataDir).catch(() => undefined));
  return layGround(config, secret ?? newId(), main, log);
}

function layGround(config: Config, secret: string, main: Database, log: Log): Ground {
  const keyring = createKeyring(secret, config.oldSecretKeys);
  const connect = (url: string) => connectDatabase({ connection: url, log, processes: config.workers });
  return { keyring, directory: createDirectory({ main, keyring, connect, clock: systemClock }), clock: systemClock };
}

/** Brings the schemas on `main` up to date first. Without a limiter nothing is counted. */
export async function openKernel(config: Config, main: Database, log: Log, limiter?: Limiter): Promise<Kernel> {
  const secret = config.secretKey ?? (await loadSecret(config.dataDir));
  const { keyring, directory, clock } = layGround(config, secret, main, log);
  const migrated = await migrate({ main, directory, clock });
  const tokens = createTokens(keyring, clock);
  const sessions = createSessions({
    directory,
    tokens,
    models: createModelCache(),
    tokenUse: createTokenUse(),
    clock,
    log,
  });
  const perform = createPerform({ sessions, limiter, clock, keyring });
  // What the machine itself does uses up nobody's budget.
  const performUncounted = createPerform({ sessions, limiter: undefined, clock, keyring });
  return {
    provision: { directory, keyring, tokens, clock },
    sessions,
    perform,
    migrated,
    async desk(organizationId, means, note) {
      const session = await sessions.ofAdmin(organizationId);
      const changeSet = newId();
      return {
        session,
        async perform(operation, input) {
          const warnings: string[] = [];
          const request = { means, changeSet, verdicts: [], warnings };
          const answer = await performUncounted(operation, session, () => input, request);
          warnings.forEach(note);
          return answer;
        },
      };
    },
    keepSweeping: () => keepSweeping({ directory, clock, log }),
    keepHandingOver: () => keepHandingOver({ directory, clock, log }),
    keepUp: () => keepUp({ directory, clock, log }),
    close: () => directory.close(),
  };
}
