/** Two objects with every kind of field, filled at random, in PostgreSQL and in memory. */
import { fieldType } from '../../src/fields/registry.ts';
import type { FieldDef, FieldTypeName, RelationConfig } from '../../src/fields/field-def.ts';
import type { OperandKind } from '../../src/fields/operators/operator.ts';
import { newId } from '../../src/lib/id.ts';
import type { Json } from '../../src/lib/json.ts';
import { buildModel } from '../../src/model/build.ts';
import { createObject } from '../../src/model/ddl.ts';
import type { StoredField } from '../../src/model/definition.ts';
import type { Model, ObjectDef } from '../../src/model/model.ts';
import type { Cell, Database } from '../../src/postgres/database.ts';
import { identifier, join, sql, statement, trusted } from '../../src/postgres/sql.ts';
import { workspace } from '../../src/provision/migrations/organization/0001-workspace.ts';
import { ground } from '../../src/provision/migrations/organization/0004-ground.ts';
import { joinTexts, searchParts } from '../../src/records/writing/search-parts.ts';
import type { Random } from './random.ts';

export const timeZone = 'Europe/Berlin';
/** A Sunday evening in Berlin, near midnight and the end of a month. */
export const now = Date.parse('2026-05-31T20:30:00Z');

const texts = [
  '',
  'a',
  'Ada',
  'ada',
  'ADA Lovelace',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'Łódź',
  'naïve café',
  'naive cafe',
  "O'Brien",
  '100%',
  'a_b',
  'axb',
  'back\\slash',
  'ΟΔΟΣ',
  'οδος',
  '  spaced   out ',
  `${'x'.repeat(300)}a`,
  `${'x'.repeat(300)}b`,
  '日本語',
  '😀 smile',
  'say "hi", twice',
  'null',
  'Ångström',
  'ﬁne',
  'Zoë',
  'zebra',
];
const options = [
  { value: 'red', label: 'Deep Red' },
  { value: 'green', label: 'Green' },
  { value: 'off_white', label: 'White, off' },
];
const steps = [0, 1, 2].map((index) => ({
  id: newId(),
  name: `Step ${index}`,
  order_index: index,
  definition: { kind: 'ongoing' as const },
}));
export const stepIds = steps.map(({ id }) => id);
const pipelineId = newId();
/** Who asks. */
export const me = newId();
export const users = [me, newId(), newId()];

/** One field of the world: how filters see it, and the wire values that it may have. */
export interface FieldSpec {
  readonly name: string;
  readonly type: FieldTypeName;
  readonly kind: OperandKind;
  readonly pool: readonly Json[];
  readonly searchable?: boolean;
  readonly target?: string;
}

export const companyFields: readonly FieldSpec[] = [
  { name: 'name', type: 'TEXT', kind: 'text', pool: texts, searchable: true },
  { name: 'industry', type: 'SELECT', kind: 'option', pool: ['red', 'green', null] },
  { name: 'size', type: 'INTEGER', kind: 'number', pool: [1, 2, 3, null] },
];

export const thingFields: readonly FieldSpec[] = [
  { name: 'name', type: 'TEXT', kind: 'text', pool: [...texts, null], searchable: true },
  {
    name: 'note',
    type: 'LONG_TEXT',
    kind: 'text',
    pool: [...texts, `${'yes '.repeat(600)}needle`, null, null],
    searchable: true,
  },
  { name: 'secret', type: 'TEXT', kind: 'text', pool: [...texts, 'hush', null], searchable: true },
  { name: 'size', type: 'NUMBER', kind: 'number', pool: [-5, 0, 0.1, 1, 1.5, 2, 10, 1e15, null, null] },
  { name: 'amount', type: 'INTEGER', kind: 'number', pool: [-1, 0, 1, 2, 3, null] },
  { name: 'price', type: 'CURRENCY', kind: 'number', pool: [0, 9.99, { amount: 10, currency: 'USD' }, 250, null] },
  { name: 'active', type: 'BOOLEAN', kind: 'boolean', pool: [true, false, null] },
  {
    name: 'day',
    type: 'DATE',
    kind: 'date',
    pool: ['2026-05-24', '2026-05-25', '2026-05-31', '2026-06-01', '2024-02-29', null],
  },
  {
    name: 'moment',
    type: 'DATETIME',
    kind: 'datetime',
    pool: [
      '2026-05-31T21:59:59.999Z',
      '2026-05-31T22:00:00Z',
      '2026-05-30T22:00:00Z',
      '2026-05-24T21:59:59Z',
      '2026-05-24T22:00:00Z',
      '2026-03-29T00:59:59Z',
      '2026-03-29T01:00:00Z',
      '2026-04-30T22:00:00Z',
      '2026-04-30T21:59:00Z',
      null,
    ],
  },
  { name: 'color', type: 'SELECT', kind: 'option', pool: ['red', 'green', 'off_white', null] },
  { name: 'tags', type: 'MULTI_SELECT', kind: 'options', pool: [['red'], ['red', 'off_white'], ['green'], null] },
  {
    name: 'emails',
    type: 'EMAILS',
    kind: 'values',
    searchable: true,
    pool: [['ada@acme.test'], ['Bob@Globex.test', 'ada@acme.test'], ['x_y@acme.test'], ['a%b@acme.test'], null],
  },
  { name: 'site', type: 'URL', kind: 'text', pool: ['https://acme.test/a_b', 'globex.test', null], searchable: true },
  { name: 'company_id', type: 'RELATION', kind: 'id', pool: [], target: 'companies' },
  { name: 'owner', type: 'USERS', kind: 'id', pool: [...users, null] },
  { name: 'people', type: 'MANY_TO_MANY', kind: 'links', pool: [], target: 'companies' },
  { name: 'phase', type: 'PIPELINE', kind: 'id', pool: [...steps.map((step) => step.id), null] },
];

/** A row as it was written, by field name. */
export interface Stored {
  readonly id: string;
  readonly createdAt: string;
  readonly deleted: boolean;
  readonly values: Readonly<Record<string, Json>>;
}

export interface World {
  readonly model: Model;
  readonly things: readonly Stored[];
  readonly companies: readonly Stored[];
}

/** Makes rows, and a schema with them. */
export async function createWorld(database: Database, random: Random, thingCount: number): Promise<World> {
  const companies = Array.from({ length: 25 }, () => randomRow(random, companyFields));
  const ids = companies.map((company) => company.id);
  const fields = thingFields.map((field) => {
    if (field.type === 'RELATION') return { ...field, pool: [...ids.slice(0, 8), null] };
    return field.type === 'MANY_TO_MANY'
      ? { ...field, pool: [[], ids.slice(0, 1), ids.slice(1, 4), ids.slice(3, 12)] }
      : field;
  });
  const things = Array.from({ length: thingCount }, () => randomRow(random, fields));
  return storeWorld(database, { companies, things });
}

/** Makes a schema with these rows. */
export async function storeWorld(
  database: Database,
  { companies, things }: Pick<World, 'companies' | 'things'>,
): Promise<World> {
  const model = worldModel();
  await database.transaction('test', async (tx) => {
    await tx.script('create extension if not exists pg_trgm');
    await tx.script(`create schema ${model.schema};${workspace.script(model.schema)}${ground.script(model.schema)}`);
    for (const object of model.objects.values()) await tx.script(createObject(model.schema, object));
  });
  await insertAll(database, model, 'companies', companies);
  await insertAll(database, model, 'things', things);
  const role = newId();
  const table = (name: string) => identifier(model.schema, name);
  await database.run('test', statement(sql`insert into ${table('_roles')} values (${role}::uuid, 'R', true, '{}', 0)`));
  for (const [index, user] of users.entries()) {
    await database.run(
      'test',
      statement(sql`insert into ${table('_users')}
      values (${user}::uuid, ${user}::uuid, ${userName(index)}, ${user}, ${role}::uuid, true, '', now(), now())`),
    );
  }
  return { model, things, companies };
}

export function userName(index: number): string {
  return `User ${index}`;
}

export function objectNamed(model: Model, name: string): ObjectDef {
  const object = model.objects.get(name);
  if (!object) throw new Error(`no object ${name}`);
  return object;
}

function randomRow(random: Random, fields: readonly FieldSpec[]): Stored {
  const values = Object.fromEntries(fields.map((field) => [field.name, random.pick(field.pool)]));
  // Few moments for many rows: ids have ties to break.
  const createdAt = new Date(now - random.below(20) * 3_600_000).toISOString();
  return { id: newId(), createdAt, deleted: random.chance(0.1), values };
}

function worldModel(): Model {
  const id = newId();
  const companies = storedObject('companies', companyFields);
  const things = storedObject('things', thingFields);
  const pipeline = { id: pipelineId, object_id: things.id, name: 'Way', is_default: true, steps };
  return buildModel(
    { id, schema: `org_${id.replaceAll('-', '')}` },
    {
      name: 'World',
      currency: 'EUR',
      timezone: timeZone,
      version: '1',
      epoch: '1',
      objects: [companies, things],
      pipelines: [pipeline],
      roles: [],
    },
  );
}

function storedObject(name: string, fields: readonly FieldSpec[]) {
  const definition = {
    label: name,
    labelSingular: name,
    isSystem: false,
    iconName: null,
    color: null,
    displayField: 'name',
  };
  return { id: newId(), name, definition, fields: fields.map(storedField) };
}

function storedField({ name, type, searchable = false, target }: FieldSpec): StoredField {
  const relationType = type === 'MANY_TO_MANY' ? 'MANY_TO_MANY' : 'BELONGS_TO_ONE';
  const relationConfig: RelationConfig | undefined =
    target === undefined ? undefined : { relationType, targetObjectName: target };
  const role: StoredField = { id: newId(), name: 'role', definition: { label: 'role', type: 'TEXT' } };
  return {
    id: newId(),
    name,
    definition: {
      label: name,
      type,
      isSearchable: searchable,
      ...(type.endsWith('SELECT') && { options }),
      ...(relationConfig && { relationConfig }),
      ...(type === 'MANY_TO_MANY' && { junctionFields: [role] }),
    },
  };
}

async function insertAll(database: Database, model: Model, name: string, rows: readonly Stored[]): Promise<void> {
  const object = objectNamed(model, name);
  for (const row of rows) {
    const cells = cellsOf(model, object, row);
    const columns = [...cells].flatMap(([field, values]) =>
      fieldType(field.type)
        .columns(field)
        .map((column, index) => ({ ...column, cell: values[index] ?? null })),
    );
    const parts = await searchParts(object, cells);
    const typed = columns.map(({ type, cell }) => sql`${cell}::${trusted(type.replace(/ collate .*$/, ''))}`);
    const deletedAt = row.deleted ? row.createdAt : null;
    await database.run(
      'test',
      statement(sql`
      insert into ${identifier(model.schema, name)} (id, created_at, updated_at, deleted_at, search_parts, search_text,
        ${join(
          columns.map((column) => identifier(column.name)),
          ', ',
        )})
      values (${row.id}::uuid, ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz, ${deletedAt}::timestamptz,
        ${JSON.stringify(parts)}::jsonb, ${joinTexts(object, parts)}, ${join(typed, ', ')})`),
    );
    await insertLinks(database, model, object, row);
  }
  await database.run(
    'test',
    statement(sql`insert into ${identifier(model.schema, '_state')} (object_id, bucket, rows, version)
    values (${object.id}::uuid, 0, ${rows.filter((row) => !row.deleted).length}::bigint, ${rows.length + 1}::bigint)`),
  );
}

function cellsOf(model: Model, object: ObjectDef, row: Stored): Map<FieldDef, readonly Cell[]> {
  const context = { currency: 'EUR', timeZone, pipelines: model.pipelines };
  const cells = new Map<FieldDef, readonly Cell[]>();
  for (const field of object.attributes.values()) {
    const value = wireValue(field.name, row);
    if (value !== undefined && !field.linkTable) cells.set(field, fieldType(field.type).decode(value, field, context));
  }
  return cells;
}

/** What a write would say of an attribute; undefined for those that no write names. */
function wireValue(name: string, row: Stored): Json | undefined {
  const phase = row.values['phase'] ?? null;
  if (name === 'pipeline_id') return phase === null ? null : pipelineId;
  if (name === 'pipeline_step_id') return phase;
  if (name === 'pipeline_step_entered_at') return phase === null ? null : row.createdAt;
  return row.values[name];
}

async function insertLinks(database: Database, model: Model, object: ObjectDef, row: Stored): Promise<void> {
  const field = object.fields.find((candidate) => candidate.linkTable);
  const targets = field && row.values[field.name];
  if (!field?.linkTable || !Array.isArray(targets)) return;
  for (const [position, target] of targets.entries()) {
    await database.run(
      'test',
      statement(sql`
      insert into ${identifier(model.schema, field.linkTable)} (source_id, target_id, position, role)
      values (${row.id}::uuid, ${String(target)}::uuid, ${position}::int, ${`role ${position}`})`),
    );
  }
}
