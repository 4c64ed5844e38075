/** Stored accounts: saving, listing, removing, and purging what they imported. [contract: Accounts] */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { utc } from '../fields/members.ts';
import type { Row } from '../postgres/database.ts';
import { instant, sql, statement, type Sql } from '../postgres/sql.ts';
import { vaultIn } from '../records/conversations/contents.ts';
import { removeMessages } from '../records/conversations/remove-messages.ts';
import { removeEvents } from '../records/conversations/change-events.ts';
import { publishAgain } from './calendar/keep-entries.ts';
import { sealSettings, type AccountSettings } from './account-settings.ts';

/** Accounts per user; each may hold a connection open. */
export const mostOfUser = 20;
/** Messages, and meetings, removed per transaction. */
const removedAtOnce = 500;

/** The id of the user's account with this provider and address; undefined without one. */
export async function accountIdOf(
  { workspace, model }: Call,
  owner: string,
  { provider, account_email: address }: AccountSettings,
): Promise<string | undefined> {
  const query = sql`select a.id from ${workspace.table('_integrations')} a where a.workspace_user_id = ${owner}::uuid
    and a.provider = ${provider} and a.account_email = ${address}`;
  const [found] = await workspace.read(statement(query, model.version));
  return found?.rows[0]?.[0] ?? undefined;
}

/**
 * Inserts the account with sealed settings, or updates the existing one of that provider and address. Returns its id, which is
 * that of an existing account if there is one, and its previous channels.
 */
export async function keepAccount(
  call: Call,
  tx: WorkspaceTransaction,
  account: { readonly id: string; readonly owner: string; readonly channels: readonly string[] },
  settings: AccountSettings,
): Promise<{ readonly id: string; readonly before: readonly string[] }> {
  const { owner, channels } = account;
  const table = call.workspace.table('_integrations');
  const { provider, account_email: address, send_enabled: maySend = false } = settings;
  const known =
    await tx.run(sql`select a.id, to_json(a.channels) from ${table} a where a.workspace_user_id = ${owner}::uuid
    and a.provider = ${provider} and a.account_email = ${address} for update`);
  const [knownId, before] = known.rows[0] ?? [];
  const id = knownId ?? account.id;
  const sealed = sealSettings(await vaultIn(call, tx), id, settings);
  const time = instant(call.now);
  await tx.run(sql`insert into ${table} as a (id, workspace_user_id, provider, account_email, channels, send_enabled, status,
      settings, failures, next_sync_at, created_at, updated_at)
    values (${id}::uuid, ${owner}::uuid, ${provider}, ${address}, ${channels}::text[], ${maySend}::boolean, 'active',
      ${sealed}, 0, ${time}, ${time}, ${time})
    on conflict (workspace_user_id, provider, account_email) do update set channels = excluded.channels,
      send_enabled = excluded.send_enabled, status = 'active', settings = excluded.settings, failures = 0, last_error = null,
      next_sync_at = excluded.next_sync_at, updated_at = excluded.updated_at`);
  return { id, before: JSON.parse(before ?? '[]') as string[] };
}

/** Counts the user's accounts, except the one with this provider and address. */
export async function countAccounts(
  { workspace, model }: Call,
  owner: string,
  { provider, account_email: address }: AccountSettings,
): Promise<number> {
  const query = sql`select count(*) from ${workspace.table('_integrations')} a
    where a.workspace_user_id = ${owner}::uuid and (a.provider, a.account_email) <> (${provider}, ${address})`;
  const [found] = await workspace.read(statement(query, model.version));
  return Number(found?.rows[0]?.[0] ?? 0);
}

/** An account as callers see it, without secrets. */
export interface AccountView {
  readonly id: string;
  readonly user: string;
  readonly provider: string;
  readonly account_email: string | null;
  readonly channels: readonly string[];
  readonly send_enabled: boolean;
  readonly status: string;
  readonly last_error: string | null;
  readonly last_sync_at: string | null;
  readonly next_sync_at: string | null;
  readonly created_at: string;
  /** Messages not imported yet, as far as known. */
  readonly remaining: number;
}

/** The accounts `a` that meet the condition, oldest first, without secrets. */
export async function accountViews({ workspace, model }: Call, condition: Sql): Promise<readonly AccountView[]> {
  const query = sql`select a.id, u.email, a.provider, a.account_email, to_json(a.channels), a.send_enabled, a.status, a.last_error,
      a.last_sync_at, a.next_sync_at, a.created_at,
      (select sum(f.remaining) from ${workspace.table('_mail_folders')} f where f.integration_id = a.id)
    from ${workspace.table('_integrations')} a join ${workspace.table('_users')} u on u.id = a.workspace_user_id
    where ${condition} order by a.created_at, a.id`;
  const [found] = await workspace.read(statement(query, model.version));
  return (found?.rows ?? []).map(accountViewIn);
}

function accountViewIn(row: Row): AccountView {
  const [id, user, provider, address, channels, sends, status, error, synced, next, created, remaining] = row;
  const time = (text: string | null | undefined) => (text ? utc(text) : null);
  return {
    id: id ?? '',
    user: user ?? '',
    provider: provider ?? '',
    account_email: address ?? null,
    channels: JSON.parse(channels ?? '[]') as string[],
    send_enabled: sends === 't',
    status: status ?? '',
    last_error: error ?? null,
    last_sync_at: time(synced),
    next_sync_at: time(next),
    created_at: utc(created ?? ''),
    remaining: Number(remaining ?? 0),
  };
}

/** Counts what the account imported since a time in milliseconds, and lists the items that could not be imported so far. */
export async function importedSince({ workspace, model }: Call, id: string, since: number) {
  const time = instant(since);
  const [interactions, events] = [workspace.table('_interactions'), workspace.table('_events')];
  const counts = sql`select
    (select count(*) from ${workspace.table('_threads')} t where t.created_at >= ${time} and t.id in
      (select i.interaction_thread_id from ${interactions} i where i.integration_id = ${id}::uuid and i.created_at >= ${time})),
    (select count(*) from ${interactions} i where i.integration_id = ${id}::uuid and i.created_at >= ${time}),
    (select count(*) from ${events} e where e.integration_id = ${id}::uuid and e.created_at >= ${time})`;
  const failures = sql`select f.folder, f.uid, f.reason from ${workspace.table('_account_failures')} f
    where f.integration_id = ${id}::uuid order by f.folder, length(f.uid), f.uid limit 1000`;
  const [counted, failed] = await workspace.read(statement(counts, model.version), statement(failures, model.version));
  const [threads, messages, meetings] = (counted?.rows[0] ?? []).map(Number);
  return {
    threads: threads ?? 0,
    interactions: messages ?? 0,
    events: meetings ?? 0,
    failed: (failed?.rows ?? []).map(([folder, uid, reason]) => ({
      folder: folder ?? '',
      uid: /^\d+$/.test(uid ?? '') ? Number(uid) : (uid ?? ''),
      reason: reason ?? '',
    })),
  };
}

/** Marks the account as expired when its credentials are refused outside of a sync. */
export function noteExpired({ workspace }: Call, id: string, message: string): Sql {
  return sql`update ${workspace.table('_integrations')} set status = 'expired', last_error = ${message} where id = ${id}::uuid`;
}

/** Deletes the account; what it imported stays. */
export async function forgetAccount({ workspace }: Call, tx: WorkspaceTransaction, id: string): Promise<void> {
  await tx.run(sql`delete from ${workspace.table('_mail_folders')} where integration_id = ${id}::uuid`);
  await tx.run(sql`delete from ${workspace.table('_account_failures')} where integration_id = ${id}::uuid`);
  await tx.run(sql`delete from ${workspace.table('_calendars')} where integration_id = ${id}::uuid`);
  await tx.run(sql`update ${workspace.table('_calendar_entries')} set calendar = null, href = null, etag = null
    where integration_id = ${id}::uuid`);
  await tx.run(sql`delete from ${workspace.table('_integrations')} where id = ${id}::uuid`);
}

/** Removes some of what an account imported for good; returns the number of messages and meetings, 0 when nothing is left. */
export function purgeSome(call: Call, id: string): Promise<number> {
  const { workspace } = call;
  const [interactions, events] = [workspace.table('_interactions'), workspace.table('_events')];
  return workspace.transaction(async (tx) => {
    const messages = await tx.run(sql`select i.id from ${interactions} i where i.integration_id = ${id}::uuid
      order by i.id limit ${removedAtOnce}::integer`);
    const ids = messages.rows.map(([own]) => own ?? '');
    await tx.run(sql`delete from ${workspace.table('_calendar_entries')} where integration_id = ${id}::uuid`);
    const meetings = await tx.run(sql`select e.id from ${events} e where e.integration_id = ${id}::uuid
      order by e.id limit ${removedAtOnce}::integer`);
    const gone = meetings.rows.map(([own]) => own ?? '');
    await publishAgain(call, tx, { messages: ids, events: gone });
    if (ids.length > 0) await removeMessages(call, tx, ids);
    await removeEvents(call, tx, gone);
    return ids.length + gone.length;
  });
}
