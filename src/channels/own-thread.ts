/** The threads that the caller may answer and mark: its own, whatever the role. [decisions: Shapes the specification does not show] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../lib/id.ts';
import type { Rows } from '../postgres/database.ts';
import { sql, statement, type Sql, type Statement } from '../postgres/sql.ts';

export interface OwnThread {
  readonly id: string;
  readonly channel: string;
  /** The provider's own id: the chat of a messenger. */
  readonly externalId: string;
  /** Who takes part in the latest message. */
  readonly participants: readonly string[];
  /** When somebody else has written last, in milliseconds; undefined where nobody has. */
  readonly heardAt: number | undefined;
}

/** Asks for the thread; throws RECORD_NOT_FOUND for what is no id. */
export function threadWithId(call: Call, id: string): Statement {
  if (!isUuid(id)) throw errors.recordNotFound('threads', id);
  return statement(selectThreads(call, sql`t.id = ${id.toLowerCase()}::uuid`), call.model.version);
}

/** Asks for the caller's thread of a chat. */
export function threadOfChat(call: Call, channel: string, externalId: string): Statement {
  const own = sql`t.owner_id = ${call.me}::uuid and t.channel = ${channel} and t.external_thread_id = ${externalId}`;
  return statement(selectThreads(call, own), call.model.version);
}

/** Asks whether the thread is still the caller's; it stays so until the end of the transaction, which puts a message into it. */
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

/** The thread in what a statement gave. Throws RECORD_NOT_FOUND, and PERMISSION_DENIED for one of somebody else. */
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

/** Of a thread of somebody else. */
export function notOwn(): Error {
  return errors.permissionDenied("The thread is somebody else's: only its owner may answer or mark it");
}
