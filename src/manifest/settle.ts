/** Slow work after a change of fields: unique values, indexes and search texts. */
import type { Aftermath, WorkspaceTransaction } from '../access/workspace.ts';
import { errors } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import { createIndex, objectIndexes } from '../model/ddl.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { raiseVersions } from '../model/state.ts';
import type { Cell, Row } from '../postgres/database.ts';
import { and, identifier, join, or, sql, statement, type Sql } from '../postgres/sql.ts';
import { searchableFields } from '../query/search.ts';
import { joinTexts, searchParts } from '../records/writing/search-parts.ts';

const batchSize = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/** Fills the key table of fields that became unique with one key per value. Throws VALIDATION_ERROR if two records share a value. */
export async function fillUniqueValues(tx: WorkspaceTransaction, before: Model, after: Model): Promise<void> {
  const unique = new Set(
    [...before.objects.values()].flatMap(({ fields }) => fields.filter(keyedByValue).map(({ id }) => id)),
  );
  for (const object of after.objects.values()) {
    for (const field of object.fields.filter(keyedByValue)) {
      if (!unique.has(field.id)) await fillField(tx, after.schema, object, field);
    }
  }
}

function keyedByValue(field: FieldDef): boolean {
  return field.isUnique && fieldType(field.type).uniqueValues !== undefined;
}

async function fillField(tx: WorkspaceTransaction, schema: string, object: ObjectDef, field: FieldDef): Promise<void> {
  const table = identifier(schema, '_unique_values');
  let lost = 0;
  for (let after = noId; ;) {
    const rows = await batchOf(tx, schema, object, [field], after, sql`t.deleted_at is null`);
    const last = rows.at(-1)?.[0];
    if (!last) break;
    after = last;
    const pairs = rows.flatMap(([id = null, ...cells]) =>
      (fieldType(field.type).uniqueValues?.(cells) ?? []).map((value): [Cell, string] => [id, value]),
    );
    const { count } = await tx.run(
      statement(sql`insert into ${table} (object_id, field_id, value, record_id)
        select ${object.id}::uuid, ${field.id}::uuid, v.value, v.id
        from unnest(${pairs.map(([id]) => id)}::uuid[], ${pairs.map(([, value]) => value)}::text[]) v (id, value)
        on conflict do nothing`),
    );
    lost += pairs.length - count;
  }
  if (lost > 0) {
    const message = `${object.name}.${field.name} cannot be unique: it has a value that several records share (${lost})`;
    throw errors.validation(message, [{ field: `${object.name}.${field.name}`, message }]);
  }
}

/** Builds missing and invalid indexes concurrently. */
export async function makeIndexes(aftermath: Aftermath, { schema, objects }: Model): Promise<void> {
  const query = sql`select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_index i on i.indexrelid = c.oid where n.nspname = ${schema} and i.indisvalid`;
  const { rows } = await aftermath.run(query);
  const known = new Set(rows.map(([name]) => name));
  for (const object of objects.values()) {
    if (object.kind === 'internal') continue; // indexes of its table are made by its migration
    const indexes = objectIndexes(object);
    for (const index of indexes.filter(({ name }) => !known.has(name))) {
      await aftermath.run(sql`drop index if exists ${identifier(schema, index.name)}`);
      await aftermath.run(createIndex(identifier(schema, object.table), index, true));
    }
  }
}

/** The kind of job that completes the rest; each organization has one under `standingKey`. */
export const upkeepKind = 'upkeep';

/** Marks objects for completing search texts, in the transaction of the change. */
export function notePendingReindex(schema: string, objectIds: readonly string[]): Sql {
  return sql`insert into ${identifier(schema, '_unsettled')} (object_id)
    select id from unnest(${objectIds}::uuid[]) id on conflict do nothing`;
}

/**
 * Rewrites stale search texts of the marked objects. Returns whether all is done: not if the model has changed, another
 * process is at work, or `goesOn` returns false.
 */
export async function completeSearch(place: Aftermath, model: Model, goesOn: () => boolean): Promise<boolean> {
  const { rows } = await place.run(sql`select object_id from ${identifier(model.schema, '_unsettled')} order by 1`);
  const objects = new Map([...model.objects.values()].map((object) => [object.id, object]));
  for (const [id = ''] of rows) {
    const object = objects.get(id ?? '');
    if (object && !(await completeObject(place, model, object, goesOn))) return false;
    const isDone = await holding(place, model, id, (tx) =>
      tx.run(sql`delete from ${identifier(model.schema, '_unsettled')} where object_id = ${id}::uuid`),
    );
    if (!isDone) return false;
  }
  return true;
}

/** Finds stale rows without a lock, and checks them again under it. */
async function completeObject(
  place: Aftermath,
  model: Model,
  object: ObjectDef,
  goesOn: () => boolean,
): Promise<boolean> {
  const { schema } = model;
  const fields = searchableFields(object);
  const stale = staleTexts(fields);
  for (let after = noId; ;) {
    if (!goesOn()) return false;
    const { rows } = await place.run(sql`select t.id from ${identifier(schema, object.table)} t
      where t.id > ${after}::uuid and ${stale} order by t.id limit ${batchSize}::int`);
    const ids = rows.flatMap(([id]) => id ?? []);
    const batch = (tx: WorkspaceTransaction) => completeBatch(tx, schema, object, fields, ids, stale);
    if (ids.length > 0 && !(await holding(place, model, object.id, batch))) return false;
    const last = ids[batchSize - 1];
    if (last === undefined) return true;
    after = last;
  }
}

/**
 * Runs `work` under the object's lock, unless another process holds it or has finished, or the model has changed: texts of
 * an old model would be wrong, and the change has marked the object again.
 */
async function holding(
  place: Aftermath,
  { schema, version, epoch }: Model,
  objectId: string | null,
  work: (tx: WorkspaceTransaction) => Promise<unknown>,
): Promise<boolean> {
  return place.transaction(async (tx) => {
    const held = await tx.run(
      statement(sql`select u.object_id from ${identifier(schema, '_organization')} o, ${identifier(schema, '_unsettled')} u
        where o.model_version = ${version}::bigint and o.epoch = ${epoch}::bigint and not o.moved and u.object_id = ${objectId}::uuid
        for key share of o for update of u skip locked`),
    );
    if (held.count > 0) await work(tx);
    return held.count > 0;
  });
}

/** Whether a row's search texts are stale. Empty texts are not stored: a null column lacks nothing. */
function staleTexts(fields: readonly FieldDef[]): Sql {
  const ids = fields.map((field) => field.id);
  const complete = fields.map((field) => {
    const columns = columnsOf(field).map((name) => sql`t.${identifier(name)} is null`);
    return or([sql`t.search_parts ? ${field.id}`, and(columns)]);
  });
  return sql`not (${and([...complete, sql`t.search_parts - ${ids}::text[] = '{}'`])})`;
}

async function completeBatch(
  tx: WorkspaceTransaction,
  schema: string,
  object: ObjectDef,
  fields: readonly FieldDef[],
  ids: readonly string[],
  stale: Sql,
): Promise<void> {
  const among = sql`t.id = any(${ids}::uuid[]) and ${stale}`;
  const rows = await batchOf(tx, schema, object, fields, noId, among, sql`for update`);
  const parts: Readonly<Record<string, string>>[] = [];
  for (const row of rows) parts.push(await searchParts(object, cellsOf(fields, row)));
  await tx.run(
    statement(sql`update ${identifier(schema, object.table)} t set search_parts = n.parts::jsonb, search_text = n.text
      from unnest(${rows.map(([id]) => id ?? null)}::uuid[], ${parts.map((part) => JSON.stringify(part))}::text[],
        ${parts.map((part) => joinTexts(object, part))}::text[]) n (id, parts, text)
      where t.id = n.id`),
  );
  await tx.run(statement(raiseVersions(schema, [object])));
}

/** The ids and field columns of the next rows `t` by id. */
async function batchOf(
  tx: WorkspaceTransaction,
  schema: string,
  object: ObjectDef,
  fields: readonly FieldDef[],
  after: string,
  condition: Sql,
  lock: Sql = sql``,
): Promise<readonly Row[]> {
  const columns = [sql`t.id`, ...fields.flatMap(columnsOf).map((name) => sql`t.${identifier(name)}`)];
  const query = sql`select ${join(columns, ', ')} from ${identifier(schema, object.table)} t
    where t.id > ${after}::uuid and ${condition} order by t.id limit ${batchSize}::int ${lock}`;
  return (await tx.run(statement(query))).rows;
}

function columnsOf(field: FieldDef): readonly string[] {
  return fieldType(field.type)
    .columns(field)
    .map((column) => column.name);
}

function cellsOf(fields: readonly FieldDef[], row: Row): Map<FieldDef, readonly Cell[]> {
  let at = 1;
  return new Map(
    fields.map((field) => {
      const width = columnsOf(field).length;
      const cells = row.slice(at, at + width);
      at += width;
      return [field, cells];
    }),
  );
}
