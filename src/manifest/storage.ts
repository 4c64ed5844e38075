/** From one model to the next in tables: losses, obstacles and statements. */
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { createObject } from '../model/ddl.ts';
import { dropField, dropTable, renameTable } from '../model/ddl-changes.ts';
import { identifier, sql, type Sql } from '../postgres/sql.ts';
import type { StorageChange } from './storage-change.ts';
import { addNewField, changeField, hasValue } from './storage-fields.ts';

/** The statements in order, losses and obstacles of changing the tables of one model to those of the other. */
export function storageChange(before: Model, after: Model): StorageChange {
  const { schema } = after;
  const change: StorageChange = {
    tables: new Set(),
    losses: [],
    obstacles: [],
    newTables: [],
    statements: [],
    scripts: [],
  };
  const known = new Map([...before.objects.values()].map((object) => [object.id, object]));
  const kept = new Map([...after.objects.values()].map((object) => [object.id, object]));
  const newNames = new Map(
    [...known.values()].map((object) => [object.name, kept.get(object.id)?.name ?? object.name]),
  );
  for (const object of known.values()) if (!kept.has(object.id)) removeObject(schema, object, change);
  for (const object of kept.values()) {
    const was = known.get(object.id);
    if (was && was.name !== object.name) change.statements.push(...renameEverywhere(schema, was, object));
  }
  for (const object of kept.values()) {
    const was = known.get(object.id);
    if (was) changeObject(after, was, object, newNames, change);
  }
  leaveSteps(before, after, change);
  for (const object of kept.values()) {
    if (known.has(object.id)) continue;
    const scripts = before.objects.has(object.name) ? change.scripts : change.newTables;
    scripts.push(createObject(schema, object));
  }
  for (const role of before.roles.values()) {
    if (after.roles.has(role.id)) continue;
    const query = sql`select count(*) from ${identifier(schema, '_users')} where role_id = ${role.id}::uuid`;
    change.obstacles.push({
      of: { kind: 'role', name: role.name },
      what: `the role ${role.name} is had by a user`,
      query,
    });
  }
  return change;
}

function removeObject(schema: string, object: ObjectDef, change: StorageChange): void {
  const table = (name: string) => identifier(schema, name);
  change.tables.add(object.table);
  change.losses.push({
    of: { kind: 'object', name: object.name },
    what: `${object.name} has a record`,
    query: sql`select count(*) from ${table(object.table)}`,
  });
  const links = object.fields.flatMap((field) => field.linkTable ?? []);
  change.statements.push(
    ...links.map((link) => dropTable(schema, link)),
    dropTable(schema, object.table),
    sql`delete from ${table('_list_entries')} where object_id = ${object.id}::uuid`,
    sql`update ${table('_lists')} set object_types = array_remove(object_types, ${object.name}::text)`,
    sql`delete from ${table('_views')} where object_id = ${object.id}::uuid`,
    sql`delete from ${table('_unique_values')} where object_id = ${object.id}::uuid`,
    sql`delete from ${table('_state')} where object_id = ${object.id}::uuid`,
  );
}

function renameEverywhere(schema: string, from: ObjectDef, to: ObjectDef): readonly Sql[] {
  return [
    renameTable(schema, from.table, to.table),
    sql`update ${identifier(schema, '_lists')} set object_types = array_replace(object_types, ${from.name}::text, ${to.name}::text)`,
  ];
}

function changeObject(
  model: Model,
  was: ObjectDef,
  object: ObjectDef,
  newNames: ReadonlyMap<string, string>,
  change: StorageChange,
): void {
  const { schema } = model;
  if (was.name !== object.name) change.tables.add(was.table);
  const place = { schema, before: was.table, after: object.table, object: object.name, timeZone: model.timeZone };
  const kept = new Map(object.fields.map((field) => [field.id, field]));
  const known = new Map(was.fields.map((field) => [field.id, field]));
  for (const field of was.fields) {
    if (kept.has(field.id)) continue;
    change.tables.add(was.table);
    const filled = hasValue(field, place.schema);
    if (filled) {
      change.losses.push({
        of: { kind: 'field', name: field.name, object: object.name },
        what: `${object.name}.${field.name} has a value`,
        query: sql`select count(*) from ${identifier(schema, was.table)} t where ${filled}`,
      });
    }
    for (const part of storedParts(was, field)) change.statements.push(...dropField(schema, object.table, part));
    change.statements.push(forgetUnique(schema, field.id));
  }
  for (const field of object.fields) {
    const old = known.get(field.id);
    if (!old) continue;
    changeField(place, withNewTargets(old, newNames), field, change);
    change.statements.push(...renameTargets(place.schema, object.table, field, newNames));
  }
  for (const field of object.fields) if (!known.has(field.id)) addNewField(place, field, change);
}

/** The old field with the new names of its targets. */
function withNewTargets(field: FieldDef, newNames: ReadonlyMap<string, string>): FieldDef {
  const { relationConfig } = field;
  if (!relationConfig) return field;
  const { targetObjectName, targetObjectNames } = relationConfig;
  const now = (name: string) => newNames.get(name) ?? name;
  return {
    ...field,
    relationConfig: {
      ...relationConfig,
      targetObjectName: now(targetObjectName),
      ...(targetObjectNames && { targetObjectNames: targetObjectNames.map(now) }),
    },
  };
}

/** Renames target objects in a MORPH_RELATION, which stores their names beside ids. */
function renameTargets(
  schema: string,
  table: string,
  field: FieldDef,
  newNames: ReadonlyMap<string, string>,
): readonly Sql[] {
  const column = field.relationConfig?.targetObjectNames && fieldType(field.type).columns(field)[1];
  if (!column) return [];
  const name = identifier(column.name);
  return [...newNames]
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => sql`update ${identifier(schema, table)} set ${name} = ${to} where ${name} = ${from}`);
}

/** The stored parts of a PIPELINE, or the field itself. */
function storedParts(object: ObjectDef, field: FieldDef): readonly FieldDef[] {
  const parts = [...object.attributes.values()].filter((attribute) => attribute.id.startsWith(`${field.id}.`));
  return parts.length > 0 ? parts : [field];
}

function forgetUnique(schema: string, fieldId: string): Sql {
  return sql`delete from ${identifier(schema, '_unique_values')} where field_id = ${fieldId}::uuid`;
}

/** Records at a removed step are at no step afterwards. */
function leaveSteps(before: Model, after: Model, change: StorageChange): void {
  const { schema } = after;
  for (const pipeline of before.pipelines) {
    const was = before.objects.get(pipeline.objectName);
    const object = [...after.objects.values()].find((candidate) => candidate.id === was?.id);
    if (!was || !object?.fields.some((field) => field.type === 'PIPELINE')) continue;
    if (!was.fields.some((field) => field.type === 'PIPELINE')) continue;
    const now = after.pipelines.find((candidate) => candidate.id === pipeline.id);
    const steps = pipeline.steps.filter((step) => !now?.steps.some((kept) => kept.id === step.id));
    if (steps.length === 0) continue;
    change.tables.add(was.table);
    for (const step of steps) {
      change.losses.push({
        of: now
          ? { kind: 'step', name: step.name, pipeline: now.name }
          : { kind: 'pipeline', name: pipeline.name, object: object.name },
        what: `the step ${step.name} of ${pipeline.name} has a record`,
        query: sql`select count(*) from ${identifier(schema, was.table)} t where pipeline_step_id = ${step.id}::uuid`,
      });
    }
    const gone = steps.map((step) => step.id);
    change.statements.push(
      sql`update ${identifier(schema, object.table)} set pipeline_id = null, pipeline_step_id = null,
        pipeline_step_entered_at = null where pipeline_step_id = any(${gone}::uuid[])`,
    );
  }
}
