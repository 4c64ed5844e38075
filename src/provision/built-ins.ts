/** Built-in objects in organizations that were made before there were any; and what stands in their way. */
import { buildModel } from '../model/build.ts';
import { builtInObjects, storedObject } from '../model/built-ins.ts';
import { createObject } from '../model/ddl.ts';
import type { OrganizationRef, StoredModel } from '../model/definition.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import type { FilterGroup, Model, ObjectDef, PermissionEntry, RoleDef } from '../model/model.ts';
import { insertObjects } from '../model/store.ts';
import type { Transaction } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';

export interface Obstacle {
  /** A sentence without its end. */
  readonly text: string;
  /** What a person does about it. */
  readonly remedy: string;
}

export interface AddedBuiltIns {
  /** Names. */
  readonly added: readonly string[];
  /** What there is to be told of, also where nothing was added. */
  readonly obstacles: readonly Obstacle[];
  /** The workspace with them. */
  readonly model: Model;
}

/** Adds those that the organization lacks, with their tables; done twice, it adds nothing. The row of `_organization` is locked. */
export async function addBuiltIns(tx: Transaction, organization: OrganizationRef): Promise<AddedBuiltIns> {
  const { schema } = organization;
  const stored = await readStoredModel(await tx.run(statement(modelQuery(schema))));
  const names = new Set(stored.objects.map(({ name }) => name));
  const missing = builtInObjects.filter(({ name }) => !names.has(name)).map(storedObject);
  const whole: StoredModel = { ...stored, objects: [...stored.objects, ...missing] };
  const model = buildModel(organization, whole);
  const added = missing.map(({ name }) => name);
  for (const name of added) {
    const object = model.objects.get(name);
    if (object && object.kind !== 'internal') await tx.script(createObject(schema, object)); // those of the others are a migration's
  }
  if (added.length > 0) {
    for (const rows of insertObjects(schema, whole.objects)) await tx.run(statement(rows));
    await tx.run(statement(sql`update ${identifier(schema, '_organization')} set model_version = model_version + 1`));
  }
  return { added, obstacles: builtInObstacles(model), model };
}

/** Custom objects that have the name of a built-in one, and roles that speak of fields which a managed one does not have. */
export function builtInObstacles({ objects, roles }: Pick<Model, 'objects' | 'roles'>): readonly Obstacle[] {
  return builtInObjects.flatMap(({ name }) => {
    const object = objects.get(name);
    if (object?.kind === 'custom') return [takenName(object)];
    if (object?.kind !== 'managed') return [];
    return [...roles.values()].flatMap((role) => strangeFields(role, object));
  });
}

function takenName({ name }: ObjectDef): Obstacle {
  return {
    text: `the custom object ${name} has the name of a built-in one, which is not there meanwhile; all else works`,
    remedy: `rename it by a manifest (objects: [{ name: other_${name}, renamedFrom: ${name} }]), then kith migrate`,
  };
}

/** Permissions could be given before there was the object: then nobody looked at what they say. */
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
