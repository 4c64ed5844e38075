/**
 * A record at an earlier time: its row and links are rebuilt from history and read by the normal read plan. Labels of
 * other records are current; fields derived from other records, ROLLUP and HAS_MANY, have no past and are left out.
 */
import type { Call } from '../../access/call.ts';
import type { LongText } from '../../lib/long-text.ts';
import { errors } from '../../errors.ts';
import { formatItem } from '../../fields/array-literal.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { parseLongJson } from '../../lib/long-json.ts';
import { mapInSlices, nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell, Row } from '../../postgres/database.ts';
import { identifier, join, sql, statement, type Sql, withClauses } from '../../postgres/sql.ts';
import { attributeFor, visibleAttributes } from '../../query/attributes.ts';
import { leansOnOthers } from '../../query/field-sources.ts';
import { objectScope } from '../../query/object-scope.ts';
import { selectRecord } from '../../query/selection.ts';
import { visibleRow } from '../../query/where.ts';
import { fieldType } from '../../fields/registry.ts';
import { bound, castType, columnsByField, junctionColumns, type StoredColumn } from '../writing/columns.ts';
import { cellOf, cellsOf } from './image.ts';
import { linkings, linksBefore, pastClauses, showsCreationTime } from './past.ts';

/** The former cells of a record. */
interface PastRow {
  readonly id: Cell;
  readonly createdAt: Cell;
  readonly updatedAt: Cell;
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
  readonly links: ReadonlyMap<FieldDef, string | null>;
}

/**
 * The record's JSON text as of `time` (ISO 8601, UTC), or undefined where the caller may not see it now, could not
 * have seen it then, or it did not exist. Throws INVALID_FIELD, and VALIDATION_ERROR for a field without a past.
 */
export async function recordAsOf(
  call: Call,
  object: ObjectDef,
  id: string,
  time: string,
  names?: readonly string[],
): Promise<LongText | undefined> {
  const fields = fieldsWithPast(call, object, names);
  const past = await pastRow(call, object, id, time);
  if (!past) return undefined;
  const tables = new Map([...past.links.keys()].map((field, at) => [field.id, identifier(`past_links_${at}`)]));
  const context = { ...call, linkTables: tables };
  const selection = selectRecord(object, context, 'r', 'detail', fields);
  const clauses = [sql`r as (${rowOf(past)})`];
  for (const [field, links] of past.links)
    clauses.push(sql`${tables.get(field.id) ?? sql``} as (${await linksOf(call, field, past.id, links)})`);
  const query = sql`${withClauses(clauses)} select ${join(selection.columns, ', ')} from r
    where ${visibleRow(objectScope(context, object, 'r'))}`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const row = found?.rows[0];
  return row && selection.jsonInSlices(row, 0);
}

/** The names of the shown fields that have a past. */
function fieldsWithPast(call: Call, object: ObjectDef, names: readonly string[] | undefined): readonly string[] {
  const has = (field: FieldDef) => !leansOnOthers(call.model, object, field.name);
  if (!names)
    return visibleAttributes(object, call.visibility)
      .filter(has)
      .map(({ name }) => name);
  const lacking = names.find((name) => !name.includes('.') && !has(attributeFor(object, name, call.visibility)));
  if (lacking !== undefined) throw errors.validation(`${lacking} is made of other records and has no past to read`);
  return names;
}

async function pastRow(call: Call, object: ObjectDef, id: string, time: string): Promise<PastRow | undefined> {
  const columns = columnsByField(object);
  const linked = [...object.attributes.values()].filter((field) => field.linkTable !== undefined);
  const shown = visibleAttributes(object, call.visibility);
  const visibleIds = shown
    .filter((field) => columns.has(field) || field.linkTable !== undefined)
    .map(({ id: key }) => key);
  const from = sql`(select c.id from cutoff c)`;
  const showsCreation = showsCreationTime(call, object);
  // For a caller who may not know when the record was created, its initial state extends into the past.
  const begins = showsCreation ? sql`least(h.at, r.created_at)` : sql`'-infinity'`;
  const isMade = showsCreation ? sql`r.created_at <= ${time}::timestamptz` : sql`true`;
  const changesWhatIsSeen = sql`h.action = 'update' and (h.before ?| ${visibleIds}::text[] or h.links ?| ${visibleIds}::text[])`;
  const clauses = [
    ...pastClauses(call, object, id),
    // History is rolled back from its end to the last entry before `time`, searched from the newest on, so older
    // entries stay unread. A record exists from its own timestamp on, although its entry was written a moment later.
    sql`cutoff as materialized (select coalesce((select h.id from h, r
      where case when h.action = 'create' then ${begins} else h.at end <= ${time}::timestamptz order by h.id desc limit 1), 0) + 1 as id)`,
    linkings(from),
  ];
  const stored = [...columns.values()].flat();
  const query = sql`${withClauses(clauses)}
    select r.id, r.created_at,
      case when (select true from h where h.id >= ${from} and ${changesWhatIsSeen} order by h.id limit 1)
        then coalesce((select h.at from h where h.id < ${from} and ${changesWhatIsSeen} order by h.id desc limit 1), ${showsCreation ? sql`r.created_at` : sql`null`})
        else r.updated_at end,
      ${isMade} and coalesce((select h.action = 'delete' from h
        where h.id >= ${from} and h.action not in ('update', 'unlink') order by h.id limit 1), r.deleted_at is null),
      (select json_object_agg(f.key, (select h.before -> f.key from h where h.id = f.id))::text
        from (select e.key, min(h.id) as id from h, jsonb_object_keys(h.before) e (key) where h.id >= ${from} group by e.key) f),
      ${join([...stored.map(({ name }) => sql`r.${identifier(name)}`), ...linked.map((field) => linksBefore(call, field)), sql`null`], ', ')}
    from r`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const row = found?.rows[0];
  return row?.[3] === 't' ? readPast(row, columns, linked) : undefined;
}

async function readPast(
  row: Row,
  columns: ReadonlyMap<FieldDef, readonly StoredColumn[]>,
  linked: readonly FieldDef[],
): Promise<PastRow> {
  const [id = null, createdAt = null, updatedAt = null, , images] = row;
  const earlier = images ? await parseLongJson(images) : {};
  const cells = new Map<FieldDef, readonly Cell[]>();
  let at = 5;
  for (const [field, stored] of columns) {
    if (sliceIsOver()) await nextSlice();
    const now = row.slice(at, (at += stored.length));
    const hasChanged = isObject(earlier) && Object.hasOwn(earlier, field.id);
    // An image that the field's current type cannot hold counts as no value.
    cells.set(field, hasChanged ? (cellsOf(earlier[field.id] ?? null, field) ?? []) : now);
  }
  const links = new Map(linked.map((field) => [field, row[at++] ?? null]));
  return { id, createdAt, updatedAt, cells, links };
}

function rowOf({ id, createdAt, updatedAt, cells }: PastRow): Sql {
  const values = [...cells].flatMap(([field, stored]) =>
    fieldType(field.type)
      .columns(field)
      .map((column, at) => sql`${bound(stored[at] ?? null, column)} as ${identifier(column.name)}`),
  );
  const stamps = [
    sql`${id}::uuid as id`,
    sql`${createdAt}::timestamptz as created_at`,
    sql`${updatedAt}::timestamptz as updated_at`,
    sql`null::timestamptz as deleted_at`,
  ];
  return sql`select ${join([...stamps, ...values], ', ')}`;
}

/** The record's own links as they were, and everybody else's current ones, since a rule may read those, too. */
async function linksOf(call: Call, field: FieldDef, id: Cell, links: string | null): Promise<Sql> {
  const junction = junctionColumns(field);
  const parsed = links === null ? [] : await parseLongJson(links);
  const list = Array.isArray(parsed) ? parsed : [];
  const targetIn = (link: Json) => (Array.isArray(link) && typeof link[0] === 'string' ? link[0] : null);
  const names = junction.map(({ name }) => identifier(name));
  const lists = [sql`${await arrayOf(list, targetIn)}::uuid[]`];
  for (const column of junction) lists.push(sql`${await arrayOf(list, (link) => cellIn(link, column))}::text[]`);
  const values = junction.map(
    (column, at) => sql`p.${names[at] ?? sql``}::${castType(column)} as ${names[at] ?? sql``}`,
  );
  const then = join(
    [sql`${id}::uuid as source_id`, sql`p.target_id`, sql`p.position::int as position`, ...values],
    ', ',
  );
  const now = join([sql`l.source_id`, sql`l.target_id`, sql`l.position`, ...names.map((name) => sql`l.${name}`)], ', ');
  return sql`select ${then} from unnest(${join(lists, ', ')}) with ordinality p (${join([sql`target_id`, ...names, sql`position`], ', ')})
    union all select ${now} from ${call.workspace.table(field.linkTable ?? '')} l where l.source_id <> ${id}::uuid`;
}

/** An array literal built in slices: binding a list would build it at once. */
async function arrayOf(links: readonly Json[], cell: (link: Json) => Cell): Promise<string> {
  const items = await mapInSlices(links, (link) => {
    const text = cell(link);
    return text === null ? 'NULL' : formatItem(text);
  });
  return `{${items.join(',')}}`;
}

/** Null also for a value that the junction field's current type cannot hold. */
function cellIn(link: Json, { field, type }: StoredColumn): Cell {
  const cells = Array.isArray(link) ? link[1] : null;
  return cellOf(isObject(cells) ? (cells[field.id] ?? null) : null, type) ?? null;
}
