/** Brings in what an account has, and keeps how that went. [spec: Integration; contract: Accounts; decisions: Integration status] */
import type { Call } from '../access/call.ts';
import { instant, sql, type Sql } from '../postgres/sql.ts';
import { replaceSettings, settingsOf, type AccountSettings } from './account-settings.ts';
import { ChannelFailure } from './channel-failure.ts';
import type { AccountConnector, Rhythm } from './provider.ts';
import { connectorOf } from './providers.ts';
import { knownAccount, type KnownAccount } from './known-account.ts';
import { AccountGone } from './mailbox.ts';

export interface Synchronised {
  /** Why it did not come to its end; undefined where it did. */
  readonly failure: ChannelFailure | undefined;
  /** When it is to be tried again, in milliseconds; undefined where nothing is said of how often. */
  readonly nextAt: number | undefined;
}

const longestPauseMs = 3_600_000;
/** Failures after one another, other than of the credentials, that make an account one with an error. */
export const failuresOfError = 3;

/**
 * Synchronises the account to its end, and notes the outcome. Undefined where it is gone, or was brought in for what it had.
 * With a rhythm it says when to come again, later where it fails, and has its mailbox watched until then.
 */
export async function synchronise(call: Call, accountId: string, rhythm?: Rhythm): Promise<Synchronised | undefined> {
  const account = await knownAccount(call, accountId);
  const settings = account && (await settingsOf(call, accountId));
  if (!account || !settings) return undefined;
  const connector = connectorOf(settings.provider);
  try {
    try {
      await connector.bringIn(call, account, settings, rhythm);
    } finally {
      await keepLatest(call, connector, accountId, settings);
    }
    return await call.part((now) => note(now, account, undefined, rhythm?.everyMs));
  } catch (error) {
    if (error instanceof AccountGone) return undefined;
    if (!(error instanceof ChannelFailure)) throw error;
    return call.part((now) => note(now, account, error, rhythm?.everyMs));
  }
}

/** Keeps what the provider gave in place of the account's credentials, also where bringing in failed afterwards. */
async function keepLatest(
  call: Call,
  { latest }: AccountConnector,
  accountId: string,
  settings: AccountSettings,
): Promise<void> {
  const renewed = latest?.(call, settings) ?? settings;
  if (renewed !== settings) await call.part((now) => replaceSettings(now, accountId, settings, renewed));
}

/** The status with its transitions, and when to try again. */
async function note(
  call: Call,
  { integrationId, failures: before }: KnownAccount,
  failure: ChannelFailure | undefined,
  everyMs: number | undefined,
): Promise<Synchronised> {
  const failures = failure ? before + 1 : 0;
  const pause = everyMs === undefined ? undefined : pauseAfter(failures, everyMs);
  const nextAt = pause === undefined ? undefined : call.now + Math.max(pause, failure?.retryAfterMs ?? 0);
  const changes = failure
    ? sql`last_error = ${failure.message}, failures = ${failures}::integer, status = ${statusAfter(failure, failures)}`
    : sql`last_error = null, failures = 0, status = 'active', last_sync_at = ${instant(call.now)}`;
  const next = nextAt === undefined ? sql`next_sync_at` : instant(nextAt);
  await call.workspace.transaction(({ run }) =>
    run(sql`update ${call.workspace.table('_integrations')} set ${changes}, next_sync_at = ${next}
      where id = ${integrationId}::uuid`),
  );
  return { failure, nextAt };
}

function statusAfter(failure: ChannelFailure, failures: number): Sql {
  if (failure.isRefusal) return sql`'expired'`;
  return failures >= failuresOfError ? sql`case when status = 'expired' then status else 'error' end` : sql`status`;
}

/** Twice as long with each failure. */
function pauseAfter(failures: number, everyMs: number): number {
  return failures === 0 ? everyMs : Math.min(Math.max(everyMs, longestPauseMs), everyMs * 2 ** failures);
}
