/** Threads that the caller may answer and mark: only own ones, whatever the role. [decisions: Shapes the specification does not show] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../lib/id.ts';
import type { Rows } from '../postgres/database.ts';
import { sql, statement, type Sql, type Statement } from '../postgres/sql.ts';

/** A thread of the caller. */
export interface OwnThread {
  readonly id: string;
  readonly channel: string;
  /** The thread's id at the provider, such as a messenger's chat id. */
  readonly externalId: string;
  /** The participants of the latest message. */
  readonly participants: readonly string[];
  /** The time of the latest inbound message, in milliseconds; undefined without one. */
  readonly heardAt: number | undefined;
}

/** Selects the thread with that id; `ownThreadIn` reads the rows. Throws RECORD_NOT_FOUND if `id` is not a UUID. */
export function threadWithId(call: Call, id: string): Statement {
  if (!isUuid(id)) throw errors.recordNotFound('threads', id);
  return statement(selectThreads(call, sql`t.id = ${id.toLowerCase()}::uuid`), call.model.version);
}

/** Selects the caller's thread of a chat; `ownThreadIn` reads the rows. */
export function threadOfChat(call: Call, channel: string, externalId: string): Statement {
  const own = sql`t.owner_id = ${call.me}::uuid and t.channel = ${channel} and t.external_thread_id = ${externalId}`;
  return statement(selectThreads(call, own), call.model.version);
}

/** Selects the thread if it is still the caller's, and locks it until the end of the transaction. */
export function heldThread({ workspace, me }: Call, id: string): Sql {
  return sql`select t.id from ${workspace.table('_threads')} t
    where t.id = ${id}::uuid and t.owner_id = ${me}::uuid and t.deleted_at is null for update of t`;
}

function selectThreads({ workspace, me }: Call, condition: Sql): Sql {
  return sql`select t.id, t.owner_id = ${me}::uuid, t.channel, t.external_thread_id, (select to_json(i.participants)
      from ${workspace.table('_interactions')} i where i.interaction_thread_id = t.id and i.deleted_at is null
      order by i.date desc, i.id desc limit 1),
      (select extract(epoch from i.date) * 1000 from ${workspace.table('_interactions')} i
      where i.interaction_thread_id = t.id and i.direction = 'inbound' and i.deleted_at is null order by i.date desc limit 1)
    from ${workspace.table('_threads')} t where ${condition} and t.deleted_at is null`;
}

/** Reads the caller's thread from the rows. Throws RECORD_NOT_FOUND without one, and PERMISSION_DENIED for another user's thread. */
export function ownThreadIn(found: Rows | undefined, id: string): OwnThread {
  const [row] = found?.rows ?? [];
  if (!row) throw errors.recordNotFound('threads', id);
  const [threadId, isOwn, channel, externalId, participants, heardAt] = row;
  if (isOwn !== 't') throw notOwn();
  return {
    id: threadId ?? '',
    channel: channel ?? '',
    externalId: externalId ?? '',
    participants: JSON.parse(participants ?? '[]') as string[],
    heardAt: heardAt === null || heardAt === undefined ? undefined : Number(heardAt),
  };
}

/** The error for another user's thread. */
export function notOwn(): Error {
  return errors.permissionDenied("The thread is another user's: only its owner may answer or mark it");
}
