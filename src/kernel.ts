/** What the service and the command line share: everything between a database and the surfaces. */
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { forgetPolicies } from './access/policies.ts';
import { createTokenUse } from './access/token-use.ts';
import type { CallOrigin } from './access/call.ts';
import { createKeyring, type Keyring } from './auth/keys.ts';
import { findSecret, loadSecret } from './auth/secret.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { createDirectory, type Directory, type Organization } from './directory/directory.ts';
import { isSealed, lockedOut, type LockedOut } from './directory/sealed.ts';
import { errors, type KithError } from './errors.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import type { WantedJob } from './jobs/job.ts';
import { createJobs } from './jobs/jobs.ts';
import { newId } from './lib/id.ts';
import type { Log } from './lib/log.ts';
import type { Limiter } from './limits/limiter.ts';
import { createModelCache } from './model/cache.ts';
import type { Answer, Operation } from './operations/door/operation.ts';
import { createPerform, type Perform } from './operations/door/perform.ts';
import type { RequestContext } from './operations/door/request-context.ts';
import { forgetDocuments } from './operations/workspace/openapi.ts';
import { keepHandingOver } from './operations/background/hand-over.ts';
import { refreshingStatistics } from './operations/background/after-import.ts';
import { sweeping } from './operations/background/sweep.ts';
import { synchronising } from './operations/background/account-job.ts';
import { changingMatching } from './operations/background/bulk-job.ts';
import { endingTranscripts } from './operations/background/transcript-job.ts';
import { importing } from './operations/background/import-job.ts';
import { keepingUp } from './operations/background/upkeep.ts';
import { sendingToWebhooks } from './operations/background/webhook-job.ts';
import { createWebhookWaking } from './operations/background/webhook-waking.ts';
import { createSessions, type Session, type Sessions } from './operations/door/sessions.ts';
import { createEntries } from './oauth/entries.ts';
import { createOAuth, type OAuth } from './oauth/oauth.ts';
import { createOutgoing, type Outgoing } from './outgoing/outgoing.ts';
import { connectDatabase } from './postgres/connect.ts';
import type { Database, Queryable } from './postgres/database.ts';
import { forgetCompiled } from './query/timeless.ts';
import type { ProvisionDeps } from './provision/deps.ts';
import type { SendMail } from './signin/delivery.ts';
import { createSignIn, type SignIn } from './signin/sign-in.ts';
import { migrate, type MigrationResult } from './provision/migrate.ts';

/** An organization in the hands of one of its users: its oldest active admin, unless told. */
export interface Desk {
  readonly session: Session;
  /** Performs in the user's name; all that one desk does is one change set. */
  perform<Result extends Answer>(operation: Operation<TSchema, Result>, input: unknown): Promise<Result>;
  /** The same answer, and everything is undone. */
  tryOut<Result extends Answer>(operation: Operation<TSchema, Result>, input: unknown): Promise<Result>;
}

/** A user of an organization at times before now. */
export interface PastDesk {
  /**
   * Performs in the user's name as if it were `happened` (milliseconds): what is stamped with a time has this one, history, too.
   * Each is a change set of its own. What happens to one record is to be entered in its order.
   */
  performAt<Result extends Answer>(
    happened: number,
    operation: Operation<TSchema, Result>,
    input: unknown,
  ): Promise<Result>;
}

export interface Kernel {
  readonly provision: ProvisionDeps;
  readonly sessions: Sessions;
  readonly perform: Perform;
  /** How people come in without a token. */
  readonly signIn: SignIn;
  /** How programs come in with a person's consent. */
  readonly oauth: OAuth;
  /** Counts requests at every surface; undefined where limits are off. */
  readonly limiter: Limiter | undefined;
  /** The way to whatever hosts tenants name. */
  readonly outgoing: Outgoing;
  /** What had to be done so that this program can work on the database. */
  readonly migrated: MigrationResult;
  /** What the root secret does not open, among the `newest` organizations or all; undefined where it opens them. */
  lockedOut(newest?: number): Promise<LockedOut | undefined>;
  /** For this machine itself, which needs no token. Throws NOT_FOUND. `note` gets the warnings. */
  desk(organizationId: string, source: CallOrigin, note: (warning: string) => void): Promise<Desk>;
  /** The same in the hands of whoever has the token. Throws UNAUTHORIZED. */
  deskOfToken(token: string, source: CallOrigin, note: (warning: string) => void): Promise<Desk>;
  /** A user's past, for an organization that is made up: the demo. No token is involved. Throws UNAUTHORIZED for who is not active. */
  pastDesk(organizationId: string, workspaceUserId: string): Promise<PastDesk>;
  /** Carries out jobs of all organizations, beside other processes. Returned is what stops it. */
  carryOutJobs(): () => Promise<void>;
  /** Enters, again and again, what this process counts for the upkeep. Returned is what stops it. */
  keepHandingOver(): () => Promise<void>;
  /** Sends the mails that wait, beside other processes. Returned is what stops it. */
  deliverMails(): () => Promise<void>;
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
  return layGround(config, await openKeyring(config), main, log);
}

/**
 * The keys for those who change nothing: without a secret, such as open and prove nothing. Throws where the secret is there and
 * cannot be read, if it `isNeeded`.
 */
export async function openKeyring(config: Config, isNeeded = false): Promise<Keyring> {
  const unread = (error: unknown) => {
    if (isNeeded) throw error;
    return undefined;
  };
  const secret = config.secretKey ?? (await findSecret(config.dataDir).catch(unread));
  return createKeyring(secret ?? newId(), config.oldSecretKeys);
}

function layGround(config: Config, keyring: Keyring, main: Database, log: Log): Ground {
  const connect = (url: string) => connectDatabase({ connection: url, log, processes: config.workers });
  return { keyring, directory: createDirectory({ main, keyring, connect, clock: systemClock }), clock: systemClock };
}

/** Makes a secret where there is none, but none that takes the place of one that was lost: throws CONFLICT. */
async function workingSecret({ secretKey, dataDir }: Config, main: Database): Promise<string> {
  const known = secretKey ?? (await findSecret(dataDir));
  if (known !== undefined) return known;
  if (await isSealed(main)) {
    throw errors.conflict(
      `There is no secret in ${join(dataDir, 'secret')}, and the organizations of this database are sealed with one: put it back, or set KITH_SECRET_KEY to it; where it is lost for good, set KITH_SECRET_KEY to a new one and run kith keys rotate --lost`,
    );
  }
  return loadSecret(dataDir);
}

/** Makes the limiter, for which it gets the keys; undefined where limits are off. */
export type LimiterWith = (keyring: Keyring) => Limiter | undefined | Promise<Limiter | undefined>;

/** Brings the schemas on `main` up to date first. Throws CONFLICT where the secret is gone that organizations are sealed with. Nothing is counted unless `limiterWith` gives what counts. */
export async function openKernel(
  config: Config,
  main: Database,
  log: Log,
  limiterWith: LimiterWith = () => undefined,
): Promise<Kernel> {
  const keyring = createKeyring(await workingSecret(config, main), config.oldSecretKeys);
  const { directory, clock } = layGround(config, keyring, main, log);
  const migrated = await migrate({ main, directory, clock });
  const tokens = createTokens(keyring, clock, directory.installationId);
  const models = createModelCache();
  models.onForgotten(forgetPolicies);
  models.onForgotten(forgetCompiled);
  models.onForgotten(forgetDocuments);
  const provision = { directory, keyring, tokens, clock };
  const entries = createEntries(main, clock);
  const signIn = createSignIn({ main, provision, keyring, log, url: addressOf(config), tidy: entries.forget });
  const sessions = createSessions({
    directory,
    tokens,
    models,
    tokenUse: createTokenUse(),
    clock,
    log,
    browserSessions: signIn.sessions,
  });
  const outgoing = createOutgoing({ privateHosts: config.privateHosts, log });
  const limiter = await limiterWith(keyring);
  const oauth = createOAuth({ entries, provision, outgoing, limiter, clock });
  const { carryOut, jobs, perform, performHere } = openDoors(
    { directory, keyring, sessions, outgoing, clock, log, signIn, syncMs: config.syncMs, publicUrl: config.publicUrl },
    limiter,
  );
  return {
    provision,
    sessions,
    perform,
    signIn,
    oauth,
    limiter,
    outgoing,
    migrated,
    lockedOut: (newest) => lockedOut(main, keyring, newest),
    desk: async (organizationId, source, note) =>
      deskOf(performHere, log, await sessions.ofAdmin(organizationId), source, note),
    pastDesk: async (organizationId, workspaceUserId) =>
      pastDeskOf(performHere, log, await sessions.ofUser(organizationId, { workspaceUserId, tokenId: null })),
    deskOfToken: async (token, source, note) =>
      deskOf(performHere, log, await sessions.open(`Bearer ${token}`), source, note),
    carryOutJobs: carryOut,
    deliverMails: () => signIn.deliver(mailer(config)),
    keepHandingOver: () => keepHandingOver({ directory, jobs, clock, log }),
    async close() {
      await jobs.announced();
      await directory.close();
    },
  };
}

/** What links lead to where the operator says no other address. A port that is not known yet is told by the server. */
function addressOf({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Sends by the operator's server; the library is loaded for the first mail. */
function mailer({ mail, dataDir }: Config): SendMail {
  let opened: Promise<SendMail> | undefined;
  const open = async () => (await import('./signin/transport.ts')).openTransport({ ...mail, dataDir });
  return async (one) => (await (opened ??= open()))(one);
}

interface DoorParts extends Pick<Kernel, 'sessions' | 'outgoing' | 'signIn'>, Ground {
  readonly log: Log;
  readonly syncMs: number;
  readonly publicUrl: string | undefined;
}

/** The door of requests, and the one for what the machine itself does; and jobs, which pass that one, too. */
function openDoors(
  { directory, keyring, sessions, outgoing, clock, log, signIn, syncMs, publicUrl }: DoorParts,
  limiter: Limiter | undefined,
) {
  // The door needs jobs, and these jobs need the door.
  const inNames = {
    sessions,
    log,
    outgoing,
    clock,
    publicUrl,
    get perform() {
      return performHere;
    },
    async ask(organization: Organization, wanted: WantedJob) {
      const database = await directory.databaseOf(organization);
      const at: Queryable = { run: (query) => database.run(organization.id, query) };
      await jobs.asking(organization, (ask) => ask(at, wanted));
    },
  };
  const accounts = synchronising(inNames, syncMs);
  const kinds = [
    sweeping(clock),
    keepingUp(clock, log),
    refreshingStatistics,
    changingMatching(inNames),
    sendingToWebhooks(inNames),
    importing(inNames),
    accounts.kind,
    endingTranscripts(inNames),
  ];
  const jobs = createJobs({ directory, clock, log, kinds });
  const { wake } = jobs;
  const wrote = createWebhookWaking({ directory, jobs, clock, log });
  const beside = { sessions, clock, keyring, wake, wrote, outgoing, signIn, publicUrl };
  const perform = createPerform({ ...beside, limiter });
  // What the machine itself does uses up nobody's budget, and takes as long as it takes.
  const deadlines = { global: Infinity, long: Infinity, expensive: Infinity, bulk: Infinity };
  const performHere: Perform = createPerform({ ...beside, limiter: undefined, deadlines });
  const carryOut = () => {
    const stop = jobs.start();
    return async () => {
      await stop();
      accounts.stop();
    };
  };
  return { carryOut, jobs, perform, performHere };
}

function deskOf(
  perform: Perform,
  log: Log,
  session: Session,
  source: CallOrigin,
  note: (warning: string) => void,
): Desk {
  const changeSet = newId();
  const report = reportTo(log);
  async function performed<Result extends Answer>(
    operation: Operation<TSchema, Result>,
    input: unknown,
    more: Pick<RequestContext, 'writeMode'> = {},
  ): Promise<Result> {
    const warnings: string[] = [];
    const context = { source, changeSet, limitDecisions: [], warnings, report, ...more };
    const answer = await perform(operation, session, () => input, context);
    warnings.forEach(note);
    return answer;
  }
  return {
    session,
    perform: performed,
    tryOut: (operation, input) => performed(operation, input, { writeMode: () => Promise.resolve({ dryRun: true }) }),
  };
}

function pastDeskOf(perform: Perform, log: Log, session: Session): PastDesk {
  const report = reportTo(log);
  return {
    performAt: (happened, operation, input) =>
      perform(operation, session, () => input, {
        source: 'demo',
        changeSet: newId(),
        happened,
        limitDecisions: [],
        warnings: [],
        report,
      }),
  };
}

function reportTo(log: Log): (error: KithError) => void {
  return ({ code, message, cause }) => {
    if (cause !== undefined) log.error({ error: cause }, `${code}: ${message}`);
  };
}
