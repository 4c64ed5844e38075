/**
 * Imports conversations and meetings in batches: existing ones are skipped, so that a batch can be repeated.
 * [contract: Ingest]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { newId } from '../../lib/id.ts';
import { messengerChannels } from '../../model/channels.ts';
import { instant, sql, type Sql } from '../../postgres/sql.ts';
import { sealContents, vaultIn } from './contents.ts';
import { ownWords } from './own-words.ts';
import { keepEvents } from './ingest-events.ts';
import { addressIn } from './addresses.ts';
import { idsIn, raise, raiseVersion } from './ingest-rows.ts';
import { withWords } from './thread-texts.ts';
import type { EventLine, IntegrationLine, InteractionLine } from './ingest-lines.ts';

export interface Ingested {
  /** New and changed accounts. */
  readonly integrations: number;
  readonly threads: number;
  readonly interactions: number;
  readonly events: number;
}

/** A message with its contents as plain text and sanitized HTML. */
export interface NewInteraction extends InteractionLine {
  readonly plain: string;
  /** The account that it came through; absent for files and for messages sent from here. */
  readonly integrationId?: string;
  /** Set for an outgoing message whose delivery is not known yet. */
  readonly delivery?: 'unknown';
}

export interface Batch {
  readonly integrations: readonly IntegrationLine[];
  readonly interactions: readonly NewInteraction[];
  readonly events: readonly EventLine[];
}

/**
 * Writes the batch in one transaction, which `leave` ends. Throws NOT_SUPPORTED where the organization uses a
 * required object's name itself.
 */
export function ingest(
  call: Call,
  { integrations, interactions, events }: Batch,
  leave: (tx: WorkspaceTransaction, done: Ingested) => Promise<void>,
): Promise<Ingested> {
  return call.workspace.transaction(async (tx) => {
    let accounts = 0;
    for (const line of integrations) accounts += await keepIntegration(call, tx, line);
    const messages = await keepInteractions(call, tx, interactions);
    const done = { integrations: accounts, ...messages, events: await keepEvents(call, tx, events) };
    await leave(tx, done);
    return done;
  });
}

async function keepIntegration(call: Call, tx: WorkspaceTransaction, line: IntegrationLine): Promise<number> {
  const table = call.workspace.table('_integrations');
  const time = instant(call.now);
  const values = sql`${line.channels}::text[], ${line.sendEnabled}::boolean, ${line.status}`;
  const inserted = await tx.run(sql`insert into ${table}
      (id, workspace_user_id, provider, account_email, channels, send_enabled, status, created_at, updated_at)
    values (${newId()}::uuid, ${line.owner}::uuid, ${line.provider}, ${line.accountEmail}, ${values}, ${time}, ${time})
    on conflict (workspace_user_id, provider, account_email) do nothing`);
  if (inserted.count > 0) return 1;
  const changed =
    await tx.run(sql`update ${table} set (channels, send_enabled, status) = row (${values}), updated_at = ${time}
    where workspace_user_id = ${line.owner}::uuid and provider = ${line.provider} and account_email = ${line.accountEmail}
      and (channels, send_enabled, status) is distinct from (${values})`);
  return changed.count;
}

interface Thread {
  readonly id: string;
  /** The search text; null where an upkeep job has yet to build it. */
  readonly text: string | null;
  readonly lines: NewInteraction[];
}

/** Inserts messages within a transaction; existing ones are skipped. */
export async function keepInteractions(
  call: Call,
  tx: WorkspaceTransaction,
  lines: readonly NewInteraction[],
): Promise<Pick<Ingested, 'threads' | 'interactions'>> {
  if (lines.length === 0) return { threads: 0, interactions: 0 };
  const { threads, added } = await threadsOf(call, tx, lines);
  const rows = [...threads.values()].flatMap(({ id: threadId, lines: own }) =>
    own.map((line) => ({ id: newId(), threadId, line })),
  );
  const inserted = await insertInteractions(call, tx, rows);
  const fresh = rows.filter(({ id }) => inserted.has(id));
  if (fresh.length > 0) {
    await insertContents(call, tx, fresh);
    await insertParticipants(call, tx, fresh);
  }
  const reworded = await settleThreads(call, tx, threads, new Set(fresh.map(({ line }) => line)));
  await raise(call, tx, 'interactions', fresh.length);
  if (added > 0) await raise(call, tx, 'threads', added);
  else await raiseVersion(call, tx, 'threads', reworded);
  return { threads: added, interactions: fresh.length };
}

/** Inserts one message within a transaction, and returns its thread's id. */
export async function keepMessage(call: Call, tx: WorkspaceTransaction, line: NewInteraction): Promise<string> {
  await keepInteractions(call, tx, [line]);
  const { rows } = await tx.run(sql`select t.id from ${call.workspace.table('_threads')} t
    where t.owner_id = ${line.owner}::uuid and t.channel = ${line.channel} and t.external_thread_id = ${line.threadId}`);
  return rows[0]?.[0] ?? '';
}

/** The threads of the lines, created if missing, and locked in a fixed order. */
async function threadsOf(
  call: Call,
  tx: WorkspaceTransaction,
  lines: readonly NewInteraction[],
): Promise<{ readonly threads: ReadonlyMap<string, Thread>; readonly added: number }> {
  const byKey = Map.groupBy(lines, keyOf);
  const keys = [...byKey.keys()].toSorted();
  const firsts = keys.map((key) => byKey.get(key)![0]!);
  const table = call.workspace.table('_threads');
  const columns = keyColumns(firsts);
  const time = instant(call.now);
  const inserted =
    await tx.run(sql`insert into ${table} (id, created_at, updated_at, owner_id, channel, external_thread_id, search_text,
      managed_by_workspace_user_id)
    select k.id, ${time}, ${time}, k.owner, k.channel, k.external, '',
      case when k.channel = any(${[...messengerChannels]}::text[]) then k.owner end
    from unnest(${firsts.map(() => newId())}::uuid[], ${columns.owners}, ${columns.channels}, ${columns.externals}) k (id, owner, channel, external)
    on conflict (owner_id, channel, external_thread_id) do nothing returning id`);
  const found = await tx.run(sql`select t.id, t.owner_id, t.channel, t.external_thread_id, t.search_text from ${table} t
    where (t.owner_id, t.channel, t.external_thread_id) in (
      select k.owner, k.channel, k.external from unnest(${columns.owners}, ${columns.channels}, ${columns.externals}) k (owner, channel, external))
    order by t.id for update`);
  const threads = new Map<string, Thread>();
  for (const [id, owner, channel, threadId, text = null] of found.rows) {
    const key = JSON.stringify([owner, channel, threadId]);
    threads.set(key, { id: id ?? '', text, lines: byKey.get(key) ?? [] });
  }
  return { threads, added: inserted.rows.length };
}

function keyOf({ owner, channel, threadId }: InteractionLine): string {
  return JSON.stringify([owner, channel, threadId]);
}

function keyColumns(lines: readonly InteractionLine[]): { owners: Sql; channels: Sql; externals: Sql } {
  return {
    owners: sql`${lines.map(({ owner }) => owner)}::uuid[]`,
    channels: sql`${lines.map(({ channel }) => channel)}::text[]`,
    externals: sql`${lines.map(({ threadId }) => threadId)}::text[]`,
  };
}

/** A message with its row. */
export interface InteractionRow {
  readonly id: string;
  readonly threadId: string;
  readonly line: NewInteraction;
}

/** Inserts the messages that do not exist yet, and returns their ids. */
async function insertInteractions(
  call: Call,
  tx: WorkspaceTransaction,
  rows: readonly InteractionRow[],
): Promise<ReadonlySet<string>> {
  const time = instant(call.now);
  const list = (of: (row: InteractionRow) => string | null) => sql`${rows.map(of)}::text[]`;
  const inserted = await tx.run(sql`insert into ${call.workspace.table('_interactions')}
      (id, created_at, updated_at, owner_id, interaction_thread_id, channel, external_id, direction, date, subject, participants,
        integration_id, delivery)
    select n.id::uuid, ${time}, ${time}, n.owner::uuid, n.thread::uuid, n.channel, n.external, n.direction, n.date::timestamptz, n.subject,
      array(select jsonb_array_elements_text(n.participants::jsonb)), n.integration::uuid,
      n.delivery
    from unnest(${list(({ id }) => id)}, ${list(({ line }) => line.owner)}, ${list(({ threadId }) => threadId)},
      ${list(({ line }) => line.channel)}, ${list(({ line }) => line.externalId)}, ${list(({ line }) => line.direction)},
      ${list(({ line }) => line.date)}, ${list(({ line }) => line.subject)},
      ${list(({ line }) => JSON.stringify(line.participants))}, ${list(({ line }) => line.integrationId ?? null)},
      ${list(({ line }) => line.delivery ?? null)})
      n (id, owner, thread, channel, external, direction, date, subject, participants, integration, delivery)
    on conflict (owner_id, channel, external_id) do nothing returning id`);
  return idsIn(inserted);
}

/** Writes the contents of the messages, replacing earlier ones. */
export async function insertContents(
  call: Call,
  tx: WorkspaceTransaction,
  rows: readonly InteractionRow[],
): Promise<void> {
  const vault = await vaultIn(call, tx);
  const sealed = rows.map(({ id, line: { channel, text, html, plain } }) => {
    const body = { content_text: text ?? (html === null ? null : plain), content_html: html };
    return sealContents(vault, id, body, channel === 'email' ? ownWords(plain) : plain);
  });
  await tx.run(sql`insert into ${call.workspace.table('_interaction_contents')} as o (interaction_id, preview, body)
    select c.id, c.preview, c.body from unnest(${rows.map(({ id }) => id)}::uuid[], ${sealed.map(({ preview }) => preview)}::text[],
      ${sealed.map(({ body }) => body)}::text[]) c (id, preview, body)
    on conflict (interaction_id) do update set preview = excluded.preview, body = excluded.body`);
}

/** Inserts the participants of the messages, and counts them. */
export async function insertParticipants(
  call: Call,
  tx: WorkspaceTransaction,
  rows: readonly InteractionRow[],
): Promise<void> {
  const takes = rows.flatMap(({ id, threadId, line }) =>
    [...new Set(line.participants.flatMap((text) => addressIn(text) ?? []))].map((address) => ({
      address,
      id,
      threadId,
      line,
    })),
  );
  if (takes.length === 0) return;
  const list = (of: (part: (typeof takes)[number]) => string) => sql`${takes.map(of)}::text[]`;
  await tx.run(sql`insert into ${call.workspace.table('_participants')} (address, date, interaction_id, thread_id, owner_id, channel)
    select p.address, p.date::timestamptz, p.id::uuid, p.thread::uuid, p.owner::uuid, p.channel
    from unnest(${list(({ address }) => address)}, ${list(({ line }) => line.date)}, ${list(({ id }) => id)}, ${list(({ threadId }) => threadId)},
      ${list(({ line }) => line.owner)}, ${list(({ line }) => line.channel)}) p (address, date, id, thread, owner, channel)`);
  await countMessages(call, tx, takes);
}

/** Adds to the number of messages per address. In a fixed order, so that concurrent batches cannot deadlock. */
async function countMessages(
  call: Call,
  tx: WorkspaceTransaction,
  takes: readonly { readonly address: string; readonly line: InteractionLine }[],
): Promise<void> {
  const byKey = Map.groupBy(takes, ({ address, line: { owner, channel } }) =>
    JSON.stringify([address, owner, channel]),
  );
  const counts = [...byKey]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, parts]) => ({ ...parts[0]!, messages: parts.length }));
  await tx.run(sql`insert into ${call.workspace.table('_addresses')} (address, owner_id, channel, messages)
    select c.address, c.owner, c.channel, c.messages from unnest(${counts.map(({ address }) => address)}::text[], ${counts.map(({ line }) => line.owner)}::uuid[],
      ${counts.map(({ line }) => line.channel)}::text[], ${counts.map(({ messages }) => String(messages))}::bigint[]) c (address, owner, channel, messages)
    on conflict (address, owner_id, channel) do update set messages = _addresses.messages + excluded.messages`);
}

/**
 * Updates the threads after new messages. The last line that names a visibility decides, even if its message existed.
 * Returns how many threads got new search words.
 */
async function settleThreads(
  call: Call,
  tx: WorkspaceTransaction,
  threads: ReadonlyMap<string, Thread>,
  fresh: ReadonlySet<NewInteraction>,
): Promise<number> {
  const changed = [...threads.values()].filter(
    ({ lines }) => lines.some((line) => fresh.has(line)) || lines.some(({ visibility }) => visibility !== undefined),
  );
  if (changed.length === 0) return 0;
  const changes = changed.map((thread) => changeOf(thread, fresh));
  const list = (of: (change: ThreadChange) => string | null) => sql`${changes.map(of)}`;
  // The arrays are typed here: Citus allows no casts of columns in an update.
  await tx.run(sql`update ${call.workspace.table('_threads')} t set message_count = t.message_count + u.messages,
      last_message_date = greatest(t.last_message_date, u.latest), subject = coalesce(t.subject, u.subject),
      content_visibility = coalesce(u.visibility, t.content_visibility),
      search_text = coalesce(u.text, t.search_text), updated_at = ${instant(call.now)}
    from unnest(${list(({ id }) => id)}::uuid[], ${list(({ messages }) => String(messages))}::bigint[],
      ${list(({ latest }) => latest)}::timestamptz[], ${list(({ subject }) => subject)}::text[],
      ${list(({ visibility }) => visibility)}::text[], ${list(({ text }) => text)}::text[])
      u (id, messages, latest, subject, visibility, text)
    where t.id = u.id`);
  return changed.filter(({ text }, at) => text === null || changes[at]?.text !== null).length;
}

interface ThreadChange {
  readonly id: string;
  readonly messages: number;
  readonly latest: string | null;
  readonly subject: string | null;
  readonly visibility: string | null;
  /** The new search text; null if the words did not change. */
  readonly text: string | null;
}

function changeOf({ id, text, lines }: Thread, fresh: ReadonlySet<NewInteraction>): ThreadChange {
  const own = lines.filter((line) => fresh.has(line));
  const newText =
    text === null
      ? null
      : withWords(
          text,
          own.flatMap(({ subject, participants }) => [subject, ...participants]),
        );
  return {
    id,
    messages: own.length,
    latest: own.map(({ date }) => date).toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null,
    subject: own.find(({ subject }) => (subject ?? '') !== '')?.subject ?? null,
    visibility: lines.findLast((line) => line.visibility !== undefined)?.visibility ?? null,
    text: newText === text ? null : newText,
  };
}
