/**
 * Whether callers saw records before a history entry. The deciding fields are rebuilt for many records at once, and
 * judged by the rule of every read; fields of other rows have their current values.
 */
import type { Call } from '../../access/call.ts';
import { fieldType } from '../../fields/registry.ts';
import { isObject } from '../../lib/json.ts';
import { parseLongJson } from '../../lib/long-json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell, Row } from '../../postgres/database.ts';
import { identifier, join, literal, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { compileRule, visibleRow } from '../../query/where.ts';
import { cellsOf } from '../past/image.ts';
import { castType, storedColumns, type StoredColumn } from '../writing/columns.ts';
import { decidingOf } from './deciding.ts';

/** A record, and the id of the entry before which it is judged. */
export interface Moment {
  readonly recordId: string;
  readonly entryId: string;
}

interface MomentsOfObject {
  readonly object: ObjectDef;
  readonly moments: readonly Moment[];
  /** Whether only the object's own condition is judged, since the role's rule reads fields without a past. */
  readonly isByCondition: boolean;
}

/** The moments at which the caller saw the record, for all objects; purged records are not among them. */
export async function seenBefore(call: Call, wanted: readonly MomentsOfObject[]): Promise<ReadonlySet<Moment>> {
  const seen = new Set<Moment>();
  const open = wanted.filter(({ object, moments }) => {
    if (!decidingOf(call, object).isAll) return moments.length > 0;
    for (const moment of moments) seen.add(moment);
    return false;
  });
  const short = open.filter(({ object }) => !looksAtLongTexts(call, object));
  if (short.length > 0) await judge(call, short, seen);
  for (const one of open.filter((each) => !short.includes(each)))
    for (let at = 0; at < one.moments.length; at += longAtOnce)
      await judge(call, [{ ...one, moments: one.moments.slice(at, at + longAtOnce) }], seen);
  return seen;
}

/** Moments rebuilt at a time where the rule reads long texts, each of which may have a million characters. */
const longAtOnce = 32;

function looksAtLongTexts(call: Call, object: ObjectDef): boolean {
  return columnsThatDecide(call, object).some(({ field }) => fieldType(field.type).isLong === true);
}

/** Adds to `seen` the moments at which the caller saw the record. */
async function judge(call: Call, wanted: readonly MomentsOfObject[], seen: Set<Moment>): Promise<void> {
  const images = await call.workspace.read(...wanted.map((one) => imagesOf(call, one)));
  const rebuilt: Statement[] = [];
  for (const [at, one] of wanted.entries()) rebuilt.push(await judged(call, one, images[at]?.rows ?? []));
  const judgements = await call.workspace.read(...rebuilt);
  for (const [at, { moments }] of wanted.entries()) {
    for (const [place] of judgements[at]?.rows ?? []) {
      const moment = moments[Number(place) - 1];
      if (moment) seen.add(moment);
    }
  }
}

/** The columns that the rule reads; times have no past. */
function columnsThatDecide(call: Call, object: ObjectDef): readonly StoredColumn[] {
  const { own } = decidingOf(call, object);
  return storedColumns(object).filter(({ field }) => own.has(field) && field.type !== 'ID');
}

/** For each moment: its index, the record, the first later images by field id, and the current columns. */
function imagesOf(call: Call, { object, moments }: MomentsOfObject): Statement {
  const columns = columnsThatDecide(call, object);
  const history = call.workspace.table('_history');
  const fields = [...new Set(columns.map(({ field }) => field.id))];
  const images = fields.map(
    (id) => sql`${literal(id)}, (select jsonb_build_array(h.before -> ${literal(id)}) from ${history} h
      where h.record_id = m.record_id and h.object_id = ${object.id}::uuid and h.id >= m.entry and h.before ? ${literal(id)}
      order by h.id limit 1)`,
  );
  const list = (of: (moment: Moment) => string) => sql`${moments.map(of)}::text[]`;
  const query = sql`select m.place, m.record_id, json_build_object(${join(images, ', ')})::text,
      ${join([...columns.map(({ name }) => sql`t.${identifier(name)}`), sql`null`], ', ')}
    from (select p.record_id::uuid, p.entry::bigint, p.place from unnest(${list(({ recordId }) => recordId)},
        ${list(({ entryId }) => entryId)}) with ordinality p (record_id, entry, place)) m
      join ${call.workspace.table(object.table)} t on t.id = m.record_id`;
  return statement(query, call.model.version);
}

/** Selects the indexes of the moments at which the caller saw the record. */
async function judged(
  call: Call,
  { object, isByCondition }: MomentsOfObject,
  rows: readonly Row[],
): Promise<Statement> {
  const columns = columnsThatDecide(call, object);
  const lists: Cell[][] = columns.map(() => []);
  for (const row of rows) {
    if (sliceIsOver()) await nextSlice();
    const parsed = await parseLongJson(row[2] ?? '{}');
    for (const [index, column] of columns.entries()) {
      const image = isObject(parsed) ? (parsed[column.field.id] ?? null) : null;
      // An image that the field's current type cannot hold counts as no value.
      const cell = Array.isArray(image) ? cellsOf(image[0] ?? null, column.field)?.[column.at] : row[3 + index];
      lists[index]?.push(cell ?? null);
    }
  }
  const places = sql`${rows.map(([place]) => place ?? null)}::text[]`;
  const ids = sql`${rows.map(([, id]) => id ?? null)}::text[]`;
  const arrays = [places, ids, ...lists.map((cells) => sql`${cells}::text[]`)];
  const name = (at: number): Sql => identifier(`_c${at}`);
  const named = columns.map((column, at) => sql`p.${name(at)}::${castType(column)} as ${identifier(column.name)}`);
  const stamps = [sql`p._place`, sql`p._id::uuid as id`, sql`null::timestamptz as deleted_at`];
  const scope = objectScope(call, object, 'r');
  const query = sql`select r._place from (select ${join([...stamps, ...named], ', ')}
      from unnest(${join(arrays, ', ')}) p (${join([sql`_place`, sql`_id`, ...columns.map((_, at) => name(at))], ', ')}) offset 0) r
    where ${isByCondition ? compileRule('all', scope) : visibleRow(scope)}`;
  return statement(query, call.model.version);
}
