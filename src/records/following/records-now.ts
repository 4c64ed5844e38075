/** The current records of a feed page, in the form of lists. */
import type { Call } from '../../access/call.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { sql, statement, type Statement } from '../../postgres/sql.ts';
import { measuredRows, wasSent } from '../../query/fitting.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { Shown } from '../../query/paging.ts';
import { selectRecord } from '../../query/selection.ts';
import { visibleRow } from '../../query/where.ts';
import { trashedRow } from '../writing/trash.ts';

/** An object whose records are followed. */
export interface FollowedObject {
  readonly object: ObjectDef;
  /** Shown of its records instead of their fields. */
  readonly shown?: Shown | undefined;
}

/** A record's current state for the caller. */
export interface RecordNow {
  /** For a visible one: its JSON text, or null where it did not fit after those before it. */
  readonly record?: LongText | null;
  /** Whether the caller sees the record in the trash. */
  readonly isTrashed: boolean;
  /** The master that it was merged into, where the caller sees that. */
  readonly mergedInto: string | null;
}

/** By id; purged records are missing. The first of each object's `ids` is always included in full. */
export async function recordsNow(
  call: Call,
  wanted: ReadonlyMap<FollowedObject, readonly string[]>,
): Promise<ReadonlyMap<string, RecordNow>> {
  const requested = [...wanted].filter(([, ids]) => ids.length > 0);
  if (requested.length === 0) return new Map();
  const plans = requested.flatMap(([followed, ids]) => [
    recordsOf(call, followed, ids, requested.length),
    statesOf(call, followed, ids),
  ]);
  const found = await call.workspace.read(...plans);
  const now = new Map<string, RecordNow>();
  for (const [at, [followed]] of requested.entries()) {
    for (const [id, isTrashed, mergedInto = null] of found[2 * at + 1]?.rows ?? [])
      now.set(id ?? '', { isTrashed: isTrashed === 't', mergedInto });
    const shown = shownOf(call, followed);
    for (const row of found[2 * at]?.rows ?? []) {
      if (sliceIsOver()) await nextSlice();
      now.set(row[0] ?? '', { record: await textOf(row, shown), isTrashed: false, mergedInto: null });
    }
  }
  return now;
}

async function textOf(row: Row, shown: Shown): Promise<LongText | null> {
  return wasSent(row, 1, shown) ? shown.jsonInSlices(row, 1) : null;
}

function shownOf(call: Call, { object, shown }: FollowedObject): Shown {
  return shown ?? selectRecord(object, call, 'r', 'read');
}

/** The visible ones, in the order of `ids`. */
function recordsOf(call: Call, followed: FollowedObject, ids: readonly string[], shares: number): Statement {
  const { object } = followed;
  const scope = objectScope(call, object, 'r');
  const query = measuredRows({
    kept: [sql`r.id`],
    selection: shownOf(call, followed),
    from: sql`from unnest(${ids}::uuid[]) with ordinality w (id, place)
      join ${call.workspace.table(object.table)} r on r.id = w.id and ${visibleRow(scope)}`,
    sortedBy: [sql`w.place`],
    order: ([place = sql`w.place`]) => place,
    most: ids.length,
    shares,
  });
  return statement(query, call.model.version);
}

/** All existing ones, visible or not. */
function statesOf(call: Call, { object }: FollowedObject, ids: readonly string[]): Statement {
  const { workspace, model } = call;
  const table = workspace.table(object.table);
  const master = objectScope(call, object, 'm');
  const query = sql`select t.id, (${trashedRow(call, objectScope(call, object, 't'))})::boolean,
      (select m.id from ${workspace.table('_merges')} g join ${table} m on m.id = g.master_id
        where g.record_id = t.id and g.object_id = ${object.id}::uuid and ${visibleRow(master)})
    from ${table} t where t.id = any(${ids}::uuid[])`;
  return statement(query, model.version);
}
