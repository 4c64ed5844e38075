/** Adds built-in objects and fields to organizations created before these existed, and reports obstacles. */
import { isDeepStrictEqual } from 'node:util';
import { buildModel } from '../model/build.ts';
import type { BuiltInObject } from '../model/built-in-objects.ts';
import { builtInObjects, heldBy, storedField, storedObject } from '../model/built-ins.ts';
import { addField } from '../model/ddl-changes.ts';
import { createIndex, createObject, fieldIndexes } from '../model/ddl.ts';
import type { OrganizationRef, StoredField, StoredModel, StoredObject } from '../model/definition.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import type { FilterGroup, Model, ObjectDef, PermissionEntry, RoleDef } from '../model/model.ts';
import { insertObjects } from '../model/store.ts';
import type { Transaction } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

export interface Obstacle {
  /** A sentence without a full stop. */
  readonly text: string;
  /** What a person can do about it. */
  readonly remedy: string;
}

export interface AddedBuiltIns {
  /** Names of added objects, and `object.field` for added or redefined fields. */
  readonly added: readonly string[];
  /** Everything to report, even where nothing was added. */
  readonly obstacles: readonly Obstacle[];
  /** The workspace after the additions. */
  readonly model: Model;
}

/**
 * Adds the missing built-ins with their tables; idempotent. `had` is the schema version at the last addition. The row
 * of `_organization` must be locked.
 */
export async function addBuiltIns(
  tx: Transaction,
  organization: OrganizationRef,
  had: number,
  builtIns: readonly BuiltInObject[] = builtInObjects,
): Promise<AddedBuiltIns> {
  const { schema } = organization;
  const stored = await readStoredModel(await tx.run(statement(modelQuery(schema))));
  const names = new Set(stored.objects.map(({ name }) => name));
  const missing = builtIns.filter(({ name }) => !names.has(name)).map(storedObject);
  const awaited = await awaitedFields(tx, schema);
  const renewed = stored.objects.map((object) => broughtUpToDate(object, builtIns, had, awaited));
  const taken = renewed.flatMap((each) => each.taken);
  const whole: StoredModel = { ...stored, objects: [...renewed.map(({ object }) => object), ...missing] };
  const model = buildModel(organization, whole);
  const added = [...missing.map(({ name }) => name), ...renewed.flatMap(({ added: parts }) => parts)];
  for (const { name } of missing) {
    const object = model.objects.get(name);
    // migrations create the tables of internal objects
    if (object && object.kind !== 'internal') await tx.script(createObject(schema, object));
  }
  for (const { object, fields } of renewed) await addStorage(tx, model, object.name, fields);
  if (added.length > 0) {
    for (const rows of insertObjects(schema, whole.objects)) await tx.run(statement(rows));
    await tx.run(statement(sql`update ${identifier(schema, '_organization')} set model_version = model_version + 1`));
  }
  if (!isDeepStrictEqual(taken, awaited))
    await tx.run(statement(sql`update ${identifier(schema, '_organization')} set awaited_fields = ${taken}::text[]`));
  return { added, obstacles: [...builtInObstacles(model), ...taken.map(takenField)], model };
}

/** Fields of a release whose names the workspace already used, as `object.field`. */
async function awaitedFields(tx: Transaction, schema: string): Promise<readonly string[]> {
  const { rows } = await tx.run(
    statement(sql`select unnest(awaited_fields) from ${identifier(schema, '_organization')}`),
  );
  return rows.map(([name]) => name ?? '');
}

interface Renewed {
  readonly object: StoredObject;
  /** The new fields. */
  readonly fields: readonly StoredField[];
  /** Names in the form of `AddedBuiltIns`. */
  readonly added: readonly string[];
  /** Fields whose names the workspace uses for others, as `object.field`. */
  readonly taken: readonly string[];
}

/** An object that manifests cannot change, as in this release; others may have been customised, and stay. */
function broughtUpToDate(
  object: StoredObject,
  builtIns: readonly BuiltInObject[],
  had: number,
  awaited: readonly string[],
): Renewed {
  const builtIn = object.definition.isSystem ? builtIns.find(({ name }) => name === object.name) : undefined;
  if (!builtIn) return { object, fields: [], added: [], taken: [] };
  return object.definition.kind ? asReleased(object, builtIn) : withLaterFields(object, builtIn, had, awaited);
}

/** Other missing fields were removed by the workspace. */
function withLaterFields(
  object: StoredObject,
  { fields }: BuiltInObject,
  had: number,
  awaited: readonly string[],
): Renewed {
  const known = new Set(object.fields.map(({ name }) => name));
  const named = (name: string) => `${object.name}.${name}`;
  const wanted = fields.filter(({ name, since = 0 }) => since > had || awaited.includes(named(name)));
  const later = wanted.filter(({ name }) => !known.has(name)).map(storedField);
  return {
    object: { ...object, fields: [...object.fields, ...later] },
    fields: later,
    added: later.map(({ name }) => named(name)),
    taken: wanted.filter(({ name }) => known.has(name)).map(({ name }) => named(name)),
  };
}

function asReleased(object: StoredObject, builtIn: BuiltInObject): Renewed {
  const release = storedObject(builtIn);
  const known = new Map(object.fields.map((field) => [field.name, field]));
  const now = release.fields.map((field) => redefined(known.get(field.name), field));
  const names = new Set(now.map(({ name }) => name));
  const changed = now.filter((field) => !isDeepStrictEqual(field, known.get(field.name)));
  return {
    object: { ...object, fields: [...now, ...object.fields.filter(({ name }) => !names.has(name))] },
    fields: now.filter(({ name }) => !known.has(name)),
    added: changed.map(({ name }) => `${object.name}.${name}`),
    taken: [],
  };
}

/**
 * The stored field with the release's definition, if that keeps its stored values and texts; otherwise a migration
 * changes it.
 */
function redefined(stored: StoredField | undefined, release: StoredField): StoredField {
  if (!stored) return release;
  const isKept = isDeepStrictEqual(heldBy(stored), heldBy(release)) && !release.definition.junctionFields;
  return isKept ? { ...release, id: stored.id } : stored;
}

/** Columns, link tables and indexes of new fields; a migration creates those of internal tables. */
async function addStorage(
  tx: Transaction,
  { objects, schema }: Model,
  name: string,
  added: readonly StoredField[],
): Promise<void> {
  const object = objects.get(name);
  if (!object || object.kind === 'internal' || added.length === 0) return;
  // Fail and retry rather than queue all requests of the organization behind a lock.
  await tx.script("set local lock_timeout = '2s'");
  const fields = object.fields.filter(({ id }) => added.some((field) => field.id === id));
  for (const field of fields) {
    const indexes = fieldIndexes(field).map((index) => createIndex(identifier(schema, object.table), index));
    for (const query of [...addField(schema, object.table, field), ...indexes]) await tx.run(statement(query));
  }
}

/** Custom objects with the name of a built-in one, and roles that name fields which a managed object lacks. */
export function builtInObstacles({ objects, roles }: Pick<Model, 'objects' | 'roles'>): readonly Obstacle[] {
  return builtInObjects.flatMap(({ name }) => {
    const object = objects.get(name);
    if (object?.kind === 'custom') return [takenName(object)];
    if (object?.kind !== 'managed') return [];
    return [...roles.values()].flatMap((role) => strangeFields(role, object));
  });
}

function takenField(name: string): Obstacle {
  const [object = '', field = ''] = name.split('.');
  return {
    text: `the field ${name} of the workspace has the name of a built-in one, which is not there meanwhile; all else works`,
    remedy: `rename it by a manifest (objects: [{ name: ${object}, fields: [{ name: other_${field}, renamedFrom: ${field} }] }]), then kith migrate`,
  };
}

function takenName({ name }: ObjectDef): Obstacle {
  return {
    text: `the custom object ${name} has the name of a built-in one, which is not there meanwhile; all else works`,
    remedy: `rename it by a manifest (objects: [{ name: other_${name}, renamedFrom: ${name} }]), then kith migrate`,
  };
}

/** Permissions may be older than the object, when nothing could validate their fields. */
function strangeFields(role: RoleDef, object: ObjectDef): readonly Obstacle[] {
  const entry = role.permissions.get(object.name);
  const known = new Set([...object.attributes.keys(), ...object.fields.map(({ name }) => name)]);
  const strange = fieldsIn(entry ?? {}).filter((name) => !known.has(name));
  if (strange.length === 0) return [];
  return [
    {
      text: `the role ${role.name} speaks of fields that ${object.name} do not have: ${[...new Set(strange)].join(', ')}`,
      remedy: 'correct its permissions by a manifest; until then such a rule admits nothing',
    },
  ];
}

function fieldsIn({ view, update, delete: remove, fields = {} }: PermissionEntry): string[] {
  const rules = [view, update, remove].flatMap((rule) => (typeof rule === 'object' ? namesIn(rule) : []));
  return [...rules, ...Object.keys(fields)];
}

function namesIn({ conditions }: FilterGroup): string[] {
  return conditions.flatMap((part) => ('conditions' in part ? namesIn(part) : [part.field.split('.')[0] ?? '']));
}
