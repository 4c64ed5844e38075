/** Syncs an account, and records the outcome. [spec: Integration; contract: Accounts; decisions: Integration status] */
import type { Call } from '../access/call.ts';
import { instant, sql, type Sql } from '../postgres/sql.ts';
import { replaceSettings, settingsOf, type AccountSettings } from './account-settings.ts';
import { ChannelFailure } from './channel-failure.ts';
import type { AccountConnector, Rhythm } from './provider.ts';
import { connectorOf } from './providers.ts';
import { knownAccount, type KnownAccount } from './known-account.ts';
import { AccountGone } from './mailbox.ts';

/** The outcome of a sync. */
export interface Synchronised {
  /** Why the sync failed; undefined if it completed. */
  readonly failure: ChannelFailure | undefined;
  /** The time of the next sync, in milliseconds; undefined without a rhythm. */
  readonly nextAt: number | undefined;
}

const longestPauseMs = 3_600_000;
/** Consecutive failures, other than refused credentials, after which an account's status is `error`. */
export const failuresOfError = 3;

/**
 * Syncs the account, and records the outcome. Undefined if the account was removed, or has no settings to connect with. With a
 * rhythm it returns the time of the next sync, which is later after failures, and keeps the account watched until then.
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

/** Stores credentials that the provider has replaced, even if the sync failed afterwards. */
async function keepLatest(
  call: Call,
  { latest }: AccountConnector,
  accountId: string,
  settings: AccountSettings,
): Promise<void> {
  const renewed = latest?.(call, settings) ?? settings;
  if (renewed !== settings) await call.part((now) => replaceSettings(now, accountId, settings, renewed));
}

/** Stores the account's new status and the time of the next sync. */
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

/** The pause doubles with each failure, up to `longestPauseMs`. */
function pauseAfter(failures: number, everyMs: number): number {
  return failures === 0 ? everyMs : Math.min(Math.max(everyMs, longestPauseMs), everyMs * 2 ** failures);
}
