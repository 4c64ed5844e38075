/** Objects and roles of a test's own, as a changed workspace would have them: metadata, tables, and a new version. */
import { newId } from '../../src/lib/id.ts';
import { buildModel } from '../../src/model/build.ts';
import { createObject } from '../../src/model/ddl.ts';
import type { FieldDefinition, StoredObject } from '../../src/model/definition.ts';
import type { PermissionEntry } from '../../src/model/model.ts';
import { insertObjects, insertRoles } from '../../src/model/store.ts';
import { identifier, sql, statement, type Sql } from '../../src/postgres/sql.ts';
import type { TestKith, TestOrganization } from '../support/kith.ts';

/** A field by its type alone, or with whatever else its definition says. */
export type Field = FieldDefinition['type'] | (Partial<FieldDefinition> & Pick<FieldDefinition, 'type'>);

/** Makes an object whose records are named by their `name`. */
export async function addObject(
  kith: TestKith,
  organization: TestOrganization,
  name: string,
  fields: Readonly<Record<string, Field>>,
): Promise<void> {
  const stored: StoredObject = {
    id: newId(),
    name,
    definition: {
      label: name,
      labelSingular: name,
      isSystem: false,
      iconName: null,
      color: null,
      displayField: 'name',
    },
    fields: Object.entries({ ...fields, owner: 'USERS', created_by: 'USERS' } as typeof fields).map(
      ([field, given]) => ({
        id: newId(),
        name: field,
        definition: { label: field, ...(typeof given === 'string' ? { type: given } : given) },
      }),
    ),
  };
  const model = buildModel(organization, {
    name: 'Test',
    currency: 'USD',
    timezone: 'UTC',
    version: '1',
    epoch: '1',
    objects: [stored],
    pipelines: [],
    roles: [],
  });
  const object = model.objects.get(name);
  if (!object) throw new Error('the object was not built');
  await kith.database.database.transaction(organization.id, (tx) =>
    tx.script(createObject(organization.schema, object)),
  );
  for (const query of insertObjects(organization.schema, [stored])) await run(kith, organization, query);
  await raiseVersion(kith, organization);
}

/** Adds fields to an object, without columns: for what is computed. */
export async function addComputedField(
  kith: TestKith,
  organization: TestOrganization,
  object: string,
  name: string,
  definition: Omit<FieldDefinition, 'label'>,
): Promise<void> {
  const table = (system: string) => identifier(organization.schema, system);
  await run(
    kith,
    organization,
    sql`insert into ${table('_fields')} (id, object_id, name, position, definition)
      select ${newId()}::uuid, id, ${name}, 100, ${JSON.stringify({ label: name, ...definition })}::jsonb
      from ${table('_objects')} where name = ${object}`,
  );
  await raiseVersion(kith, organization);
}

export async function addRole(
  kith: TestKith,
  organization: TestOrganization,
  name: string,
  permissions: Readonly<Record<string, PermissionEntry>>,
): Promise<void> {
  await run(
    kith,
    organization,
    insertRoles(organization.schema, [{ id: newId(), name, is_admin: false, permissions }]),
  );
  await raiseVersion(kith, organization);
}

async function raiseVersion(kith: TestKith, organization: TestOrganization): Promise<void> {
  const table = identifier(organization.schema, '_organization');
  await run(kith, organization, sql`update ${table} set model_version = model_version + 1`);
}

/** Runs a statement in the organization's database; its rows. */
export async function run(
  kith: TestKith,
  organization: TestOrganization,
  query: Sql,
): Promise<readonly (readonly (string | null)[])[]> {
  return (await kith.database.database.run(organization.id, statement(query))).rows;
}
