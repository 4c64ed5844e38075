/** What is in the trash, latest first: the records that the caller may view and delete. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import { utc } from '../../fields/members.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { fingerprint, readCursor, writeCursor } from '../../query/cursor.ts';
import { labelOf } from '../../query/read-scope.ts';
import { objectScope } from '../../query/object-scope.ts';
import { tellsWho } from '../past/past.ts';
import { trashedRow } from '../writing/trash.ts';

export interface TrashedRecord {
  readonly id: string;
  /** Null where the role does not see the field that names the record. */
  readonly display: string | null;
  readonly deleted_at: string;
  /** Null where nobody is known to have done it, or the role is not told. */
  readonly deleted_by: { readonly id: string; readonly display: string } | null;
}

export interface TrashPage {
  readonly data: readonly TrashedRecord[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** `limit` is a positive integer. Throws VALIDATION_ERROR for a cursor of something else. */
export async function trashPage(
  call: Call,
  object: ObjectDef,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<TrashPage> {
  const { workspace, seal, model } = call;
  const scope = objectScope(call, object, 't');
  const mine = trashedRow(call, scope);
  const query = fingerprint(['trash', object.id]);
  const position = cursor === undefined ? undefined : readCursor(seal, query, 1, cursor);
  const after = position
    ? sql`(t.deleted_at, t.id) < (${position.keys[0] ?? null}::timestamptz, ${position.id}::uuid)`
    : sql`true`;
  const table = workspace.table(object.name);
  const deleter = !tellsWho(call, object)
    ? sql`null::uuid`
    : sql`(select h.actor_id from ${workspace.table('_history')} h
    where h.record_id = t.id and h.action = 'delete' order by h.id desc limit 1)`;
  const page = sql`select t.id, t.deleted_at, ${labelOf(scope) ?? sql`null::text`} as display, ${deleter} as actor_id from ${table} t
    where ${mine} and ${after} order by t.deleted_at desc, t.id desc limit ${limit + 1}::int`;
  const [found] = await workspace.read(
    statement(
      sql`select c.total, p.id, p.deleted_at::text, p.display, u.id, u.name
        from (select count(*) as total from ${table} t where ${mine}) c left join (${page}) p on true
          left join ${workspace.table('_users')} u on u.id = p.actor_id
        order by p.deleted_at desc, p.id desc`,
      model.version,
    ),
  );
  const rows = found?.rows ?? [];
  const records = rows.filter(([, id]) => id !== null).slice(0, limit);
  const [, lastId, lastTime] = records.at(-1) ?? [];
  return {
    data: records.map(([, id, deletedAt, display, userId, userName]) => ({
      id: id ?? '',
      display: display ?? null,
      deleted_at: utc(deletedAt ?? ''),
      deleted_by: userId ? { id: userId, display: userName ?? '' } : null,
    })),
    total: Number(rows[0]?.[0] ?? 0),
    ...(rows.length > limit &&
      lastId &&
      lastTime && { nextCursor: writeCursor(seal, query, { id: lastId, keys: [lastTime] }) }),
  };
}
