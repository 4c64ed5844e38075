/** Changes a field's storage from one definition to the next: keeps, renames or casts it, or recreates it if its values cannot stay. */
import type { FieldDef } from '../fields/field-def.ts';
import { retyping } from '../fields/retype.ts';
import { fieldType } from '../fields/registry.ts';
import {
  addColumns,
  addField,
  createUniqueIndex,
  dropColumns,
  dropField,
  dropIndexes,
  dropUniqueIndex,
  renameColumns,
  retypeColumn,
} from '../model/ddl-changes.ts';
import { and, identifier, or, sql, type Sql } from '../postgres/sql.ts';
import type { Count, StorageChange } from './storage-change.ts';

/** Where a field's columns are. */
export interface FieldPlace {
  readonly schema: string;
  /** The table's name now, and after renaming. */
  readonly before: string;
  readonly after: string;
  /** The object's name in messages. */
  readonly object: string;
  /** IANA name: the zone of the organization's days. */
  readonly timeZone: string;
}

/** Adds the statements for a new field: columns, link table, unique index. */
export function addNewField({ schema, before, after }: FieldPlace, field: FieldDef, change: StorageChange): void {
  change.tables.add(before);
  const parts = fieldType(field.type).parts?.(field) ?? [field];
  for (const part of parts) change.statements.push(...addField(schema, after, part));
  if (field.isUnique) change.statements.push(...createUniqueIndex(schema, after, field));
}

/** Adds the statements that turn `was` into `field`, and the losses. */
export function changeField(place: FieldPlace, was: FieldDef, field: FieldDef, change: StorageChange): void {
  const statements: Sql[] = [];
  if (was.type === field.type && sameColumns(was, field)) {
    statements.push(...renameColumns(place.schema, place.after, was, field));
    retarget(place, was, field, change, statements);
    dropOptions(place, was, field, change, statements);
    changeJunction(place, was, field, change);
    changeUnique(place, was, field, change, statements);
  } else retype(place, was, field, change, statements);
  if (statements.length > 0 || was.isSearchable !== field.isSearchable) change.tables.add(place.before);
  change.statements.push(...statements);
}

function sameColumns(a: FieldDef, b: FieldDef): boolean {
  const types = (field: FieldDef) =>
    fieldType(field.type)
      .columns(field)
      .map((column) => column.type);
  return types(a).join() === types(b).join() && (a.linkTable === undefined) === (b.linkTable === undefined);
}

/** Whether a row `t` has a value of the field; undefined if the field stores none. */
export function hasValue(field: FieldDef, schema: string): Sql | undefined {
  if (field.linkTable !== undefined) {
    return sql`exists (select from ${identifier(schema, field.linkTable)} l where l.source_id = t.id)`;
  }
  const parts = fieldType(field.type).parts?.(field) ?? [field];
  const columns = parts.flatMap((part) => fieldType(part.type).columns(part));
  return columns.length === 0 ? undefined : or(columns.map(({ name }) => sql`t.${identifier(name)} is not null`));
}

function countWhere(place: FieldPlace, field: FieldDef, what: string, condition: Sql): Count {
  return {
    of: { kind: 'field', name: field.name, object: place.object },
    what: `${place.object}.${field.name} ${what}`,
    query: sql`select count(*) from ${identifier(place.schema, place.before)} t where ${condition}`,
  };
}

/** Empties the field in matching rows `t`, and marks their search text as stale. */
function clear(
  place: FieldPlace,
  field: FieldDef,
  condition: Sql,
  value: (column: Sql) => Sql = () => sql`null`,
): Sql[] {
  const columns = fieldType(field.type).columns(field);
  if (columns.length === 0) return [];
  const sets = columns.map(({ name }) => sql`${identifier(name)} = ${value(identifier(name))}, `);
  const set = sets.reduce((all, part) => sql`${all}${part}`);
  return [
    sql`update ${identifier(place.schema, place.after)} t set ${set} search_parts = search_parts - ${field.id}::text
      where ${condition}`,
  ];
}

function retype(place: FieldPlace, was: FieldDef, field: FieldDef, change: StorageChange, statements: Sql[]): void {
  const { schema, before, after } = place;
  change.tables.add(before);
  const conversion = retyping(was, field, identifier(was.name), place.timeZone);
  const renamed = { ...was, name: field.name };
  if (conversion) {
    const moved = retyping(was, field, identifier(field.name), place.timeZone);
    statements.push(...dropIndexes(schema, was), ...renameColumns(schema, after, was, renamed));
    if (conversion.unfit && moved?.unfit) {
      const what = `has a value that ${field.type} cannot hold`;
      change.losses.push(countWhere(place, field, what, conversion.unfit));
      statements.push(...clear(place, renamed, moved.unfit));
    }
    if (moved?.using) statements.push(...retypeColumn(schema, after, field, moved.using));
    if (field.isUnique) {
      statements.push(...createUniqueIndex(schema, after, field));
      if (!was.isUnique) change.obstacles.push(...duplicates(place, was));
    }
    return;
  }
  const filled = hasValue(was, schema);
  if (filled) {
    const what = `has a value that cannot become ${field.relationConfig?.relationType ?? field.type}`;
    change.losses.push(countWhere(place, field, what, filled));
  }
  const parts = (each: FieldDef) => fieldType(each.type).parts?.(each) ?? [each];
  statements.push(
    ...parts(was).flatMap((part) => dropField(schema, after, part)),
    ...parts(field).flatMap((part) => addField(schema, after, part)),
    ...(field.isUnique ? createUniqueIndex(schema, after, field) : []),
    forgetUniqueValues(schema, field),
    sql`update ${identifier(schema, after)} set search_parts = search_parts - ${field.id}::text
      where search_parts ? ${field.id}::text`,
  );
}

/** A relation with a new target loses its ids, which are of another object's records. */
function retarget(place: FieldPlace, was: FieldDef, field: FieldDef, change: StorageChange, statements: Sql[]): void {
  const allowed = targets(field);
  const lost = targets(was).filter((name) => !allowed.includes(name));
  if (lost.length === 0) return;
  const filled = hasValue(was, place.schema);
  if (!filled) return;
  const [, morph] = fieldType(field.type).columns(field);
  const morphBefore = fieldType(was.type).columns(was)[1];
  const condition = (column: string | undefined) =>
    column === undefined ? filled : sql`t.${identifier(column)} = any(${lost}::text[])`;
  change.losses.push(countWhere(place, field, 'leads to a record elsewhere', condition(morphBefore?.name)));
  if (field.linkTable !== undefined) statements.push(sql`delete from ${identifier(place.schema, field.linkTable)}`);
  else
    statements.push(
      ...clear(place, field, morph ? condition(morph.name) : (hasValue(field, place.schema) ?? sql`false`)),
    );
}

function targets({ relationConfig }: FieldDef): readonly string[] {
  return relationConfig ? [relationConfig.targetObjectName, ...(relationConfig.targetObjectNames ?? [])] : [];
}

function dropOptions(
  place: FieldPlace,
  was: FieldDef,
  field: FieldDef,
  change: StorageChange,
  statements: Sql[],
): void {
  const kept = new Set(field.options?.map((option) => option.value));
  const lost = (was.options ?? []).map((option) => option.value).filter((value) => !kept.has(value));
  const [column] = fieldType(field.type).columns(field);
  if (lost.length === 0 || !column) return;
  const many = column.type.startsWith('text[]');
  const uses = (name: string) =>
    many ? sql`t.${identifier(name)} && ${lost}::text[]` : sql`t.${identifier(name)} = any(${lost}::text[])`;
  const what = `has an option that would be gone (${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ', …' : ''})`;
  change.losses.push(countWhere(place, field, what, uses(was.name)));
  const rest = (name: Sql) =>
    sql`nullif(array(select v from unnest(${name}) with ordinality u (v, n) where v <> all(${lost}::text[]) order by n), '{}')`;
  statements.push(...clear(place, field, uses(field.name), many ? rest : undefined));
}

function changeUnique(
  place: FieldPlace,
  was: FieldDef,
  field: FieldDef,
  change: StorageChange,
  statements: Sql[],
): void {
  if (was.isUnique === field.isUnique) return;
  if (field.isUnique) {
    change.obstacles.push(...duplicates(place, was));
    statements.push(...createUniqueIndex(place.schema, place.after, field));
  } else statements.push(dropUniqueIndex(place.schema, field), forgetUniqueValues(place.schema, field));
  change.tables.add(place.before);
}

function forgetUniqueValues(schema: string, field: FieldDef): Sql {
  return sql`delete from ${identifier(schema, '_unique_values')} where field_id = ${field.id}::uuid`;
}

/** Counts records that share a value. Fields with one key per value are checked when the keys are filled. */
function duplicates(place: FieldPlace, field: FieldDef): readonly Count[] {
  const type = fieldType(field.type);
  const [column] = type.columns(field);
  if (!column || type.uniqueValues) return [];
  const name = identifier(column.name);
  return [
    {
      of: { kind: 'field', name: field.name, object: place.object },
      what: `${place.object}.${field.name} cannot be unique: it has a value that several records share`,
      query: sql`select count(*) from (select ${name} from ${identifier(place.schema, place.before)}
        where ${and([sql`deleted_at is null`, sql`${name} is not null`])} group by ${name} having count(*) > 1) shared`,
    },
  ];
}

function changeJunction(place: FieldPlace, was: FieldDef, field: FieldDef, change: StorageChange): void {
  if (field.linkTable === undefined) return;
  const links: FieldPlace = {
    ...place,
    before: field.linkTable,
    after: field.linkTable,
    object: `${place.object}.${field.name}`,
  };
  const before = new Map((was.junctionFields ?? []).map((part) => [part.id, part]));
  const after = new Map((field.junctionFields ?? []).map((part) => [part.id, part]));
  for (const [id, part] of before) if (!after.has(id)) loseJunction(links, part, change);
  for (const [id, part] of after) {
    const old = before.get(id);
    if (!old) change.statements.push(...addColumns(place.schema, links.after, part));
    else if (old.type === part.type) change.statements.push(...renameColumns(place.schema, links.after, old, part));
    else {
      loseJunction(links, old, change);
      change.statements.push(...addColumns(place.schema, links.after, part));
    }
    if (!old || old.type !== part.type || old.name !== part.name) change.tables.add(field.linkTable);
  }
}

function loseJunction(links: FieldPlace, part: FieldDef, change: StorageChange): void {
  change.tables.add(links.before);
  const filled = hasValue(part, links.schema);
  if (filled) change.losses.push(countWhere(links, part, 'has a value', filled));
  change.statements.push(...dropColumns(links.schema, links.after, part));
}
