import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredModel } from '../../src/model/definition.ts';
import { buildModel } from '../../src/model/build.ts';
import { builtInModel } from '../../src/model/built-ins.ts';
import { createModelCache } from '../../src/model/cache.ts';
import { createObject } from '../../src/model/ddl.ts';
import { loadModel, modelQuery, readStoredModel } from '../../src/model/load.ts';
import { fieldOfUniqueIndex, linkTableName, uniqueIndexName } from '../../src/model/names.ts';
import { insertObjects, insertPipelines, insertRoles } from '../../src/model/store.ts';
import { newId } from '../../src/lib/id.ts';
import { Digits } from '../../src/lib/json.ts';
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { acme, rowsOf, setUp, type Setup } from '../provision/setup.ts';

let setup: Setup;

beforeAll(async () => {
  setup = await setUp();
});

afterAll(() => setup.drop());

async function reference() {
  const { organizationId: id, schemaName: schema } = await acme(setup.deps);
  return { id, schema };
}

/** A database that counts the statements of its reads. */
function counting(database: Database) {
  const counted = { reads: 0, database };
  counted.database = {
    ...database,
    read(affinity, statements) {
      counted.reads += statements.length;
      return database.read(affinity, statements);
    },
  };
  return counted;
}

describe('the model', () => {
  it('is the same when it was stored and loaded again, in one statement', async () => {
    const organization = await reference();
    const stored = odd(builtInModel({ name: 'Acme', currency: 'USD', timezone: 'UTC' }));
    await replaceMetadata(organization.schema, stored);
    const counted = counting(setup.main);
    expect(await loadModel(counted.database, organization)).toEqual(buildModel(organization, stored));
    expect(counted.reads).toBe(1);
  });

  it('is read in slices, however much there is of it', async () => {
    const organization = await reference();
    const stored = builtInModel({ name: 'Acme', currency: 'USD', timezone: 'UTC' });
    // A number within a text looks like one whose digits have to be kept.
    const options = Array.from({ length: 20 }, (_, at) => ({ value: `v${at}`, label: `Version ${at}.0` }));
    const fields = Array.from({ length: 400 }, (_, at) => ({
      id: newId(),
      name: `version_${at}`,
      definition: { label: `Version ${at}.0`, type: 'SELECT', options } as const,
    }));
    const many = {
      ...stored,
      objects: stored.objects.map((object, at) => (at === 0 ? { ...object, fields } : object)),
    };
    await replaceMetadata(organization.schema, many);
    const [rows] = await setup.main.read('test', [statement(modelQuery(organization.schema))]);
    let isRead = false;
    let others = 0;
    const other = () => {
      if (isRead) return;
      others++;
      setImmediate(other);
    };
    setImmediate(other);
    // Many times over, so that it takes longer than a slice on any machine.
    const reads = Array.from({ length: 20 }, () => readStoredModel(rows));
    for (const read of reads) expect((await read).objects).toEqual(many.objects);
    isRead = true;
    expect(others).toBeGreaterThan(1);
  });

  it('shows attributes in the order id, fields with the parts of a PIPELINE, created_at, updated_at', async () => {
    const model = await loadModel(setup.main, await reference());
    const opportunities = model.objects.get('opportunities');
    expect([...(opportunities?.attributes.keys() ?? [])]).toEqual([
      'id',
      'name',
      'amount',
      'probability',
      'close_date',
      'source',
      'company_id',
      'contacts',
      'pipeline_id',
      'pipeline_step_id',
      'pipeline_step_entered_at',
      'owner',
      'created_by',
      'created_at',
      'updated_at',
    ]);
    expect(opportunities?.fields.map(({ name }) => name)).toContain('pipeline');
    expect(model.pipelines).toMatchObject([
      {
        name: 'Sales',
        objectName: 'opportunities',
        isDefault: true,
        steps: ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost'].map((name, order_index) => ({
          name,
          order_index,
          kind: name === 'Won' ? 'won' : name === 'Lost' ? 'lost' : 'ongoing',
        })),
      },
    ]);
    expect([...model.roles.values()].map(({ name, isAdmin }) => [name, isAdmin])).toEqual([
      ['Admin', true],
      ['Member', false],
      ['Viewer', false],
    ]);
  });

  it('gives every field an id of its own, which no other organization has', async () => {
    const ids = [await reference(), await reference()].map(async (organization) => {
      const model = await loadModel(setup.main, organization);
      const objects = [...model.objects.values()];
      const system = new Set(['created_at', 'updated_at']);
      const fields = objects.flatMap(({ fields: each }) => each).filter(({ name }) => !system.has(name));
      return [...objects, ...fields].map(({ id }) => id);
    });
    const all = (await Promise.all(ids)).flat();
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('the model cache', () => {
  it('loads a version once, also for callers at the same time, and again when version or epoch changes', async () => {
    const organization = await reference();
    const counted = counting(setup.main);
    const cache = createModelCache();
    const models = await Promise.all([1, 2, 3].map(() => cache.model(counted.database, organization, '1', '1')));
    expect(new Set(models).size).toBe(1);
    expect(await cache.model(counted.database, organization, '1', '1')).toBe(models[0]);
    expect(counted.reads).toBe(1);

    await rowsOf(setup.main, sql`update ${identifier(organization.schema, '_organization')} set model_version = 2`);
    const second = await cache.model(counted.database, organization, '2', '1');
    expect([second.version, counted.reads]).toEqual(['2', 2]);
    await rowsOf(setup.main, sql`update ${identifier(organization.schema, '_organization')} set epoch = 7`);
    expect((await cache.model(counted.database, organization, '2', '7')).epoch).toBe('7');
    expect(cache.remembered(organization.id)?.epoch).toBe('7');
    cache.forget(organization.id);
    expect(cache.remembered(organization.id)).toBeUndefined();
  });

  it('forgets the model that was not used for longest', async () => {
    const [first, second, third] = [await reference(), await reference(), await reference()];
    const cache = createModelCache(300_000);
    for (const organization of [first, second, first, third]) await cache.model(setup.main, organization, '1', '1');
    expect([first, second, third].map(({ id }) => cache.remembered(id) !== undefined)).toEqual([true, false, true]);
  });

  it('does not keep a failure', async () => {
    const organization = await reference();
    const cache = createModelCache();
    const lost = { ...setup.main, read: () => Promise.reject(new Error('away')) };
    await expect(cache.model(lost, organization, '1', '1')).rejects.toThrow('away');
    expect((await cache.model(setup.main, organization, '1', '1')).version).toBe('1');
  });
});

describe('unique fields', () => {
  it('hold among records that are not in the trash, and name their field', async () => {
    const { schema } = await reference();
    const field = { id: newId(), name: 'code', definition: { label: 'Code', type: 'TEXT', isUnique: true } } as const;
    const definition = {
      label: 'P',
      labelSingular: 'P',
      isSystem: false,
      iconName: null,
      color: null,
      displayField: 'code',
    };
    const stored = { ...emptyModel, objects: [{ id: newId(), name: 'projects', definition, fields: [field] }] };
    const object = buildModel({ id: newId(), schema }, stored).objects.get('projects');
    if (object === undefined) throw new Error('The model has its object');
    await setup.main.transaction('test', (tx) => tx.script(createObject(schema, object)));
    const insert = (code: string, deletedAt: string | null = null) =>
      rowsOf(
        setup.main,
        sql`insert into ${identifier(schema, 'projects')} (id, created_at, updated_at, deleted_at, code)
        values (${newId()}::uuid, now(), now(), ${deletedAt}::timestamptz, ${code})`,
      );
    const long = 'x'.repeat(9_000);
    for (const code of ['a', 'A', long, `${long}y`]) await insert(code);
    await insert('a', '2026-01-01T00:00:00Z');
    for (const code of ['a', long]) {
      await expect(insert(code)).rejects.toMatchObject({ code: '23505', constraint: uniqueIndexName(field.id) });
    }
    expect(fieldOfUniqueIndex(object, `${uniqueIndexName(field.id)}_102008`)?.name).toBe('code');
    expect(fieldOfUniqueIndex(object, 'projects_pkey')).toBeUndefined();
  });
});

const emptyModel: StoredModel = {
  name: 'Acme',
  currency: 'USD',
  timezone: 'UTC',
  version: '1',
  epoch: '1',
  objects: [],
  pipelines: [],
  roles: [],
};

/** The built-in model with what it does not have itself: long numbers, quotes, names that are special in JavaScript, a second junction. */
function odd(stored: StoredModel): StoredModel {
  const definition = {
    label: 'It\'s "quoted" \\ 🦊',
    type: 'DECIMAL',
    isRequired: true,
    isUnique: true,
    isHidden: true,
    defaultValue: new Digits('12345678901234567890.10'),
  } as const;
  const [first, ...rest] = stored.objects;
  if (first === undefined) throw new Error('There are built-in objects');
  const object = { ...first, fields: [...first.fields, { id: newId(), name: 'constructor', definition }] };
  const permissions = {
    '*': { view: 'none' },
    contacts: { view: { type: 'AND', conditions: [] }, fields: { birthday: 'none' } },
  } as const;
  const role = { id: newId(), name: 'Odd', is_admin: false, permissions };
  return { ...stored, objects: [...rest, object], roles: [role, ...stored.roles] };
}

/** Puts other metadata in the place of a new organization's; the tables do not matter here. */
async function replaceMetadata(schema: string, stored: StoredModel): Promise<void> {
  const table = (name: string) => identifier(schema, name);
  const clear = ['_pipeline_steps', '_pipelines', '_fields', '_objects', '_tokens', '_users', '_roles'].map(
    (name) => sql`delete from ${table(name)}`,
  );
  const fill = [
    ...insertObjects(schema, stored.objects),
    ...insertPipelines(schema, stored.pipelines),
    insertRoles(schema, stored.roles),
  ];
  await setup.main.transaction('test', async (tx) => {
    for (const query of [...clear, ...fill]) await tx.run(statement(query));
  });
}

it('link tables are named after the random end of the field id', () => {
  expect(linkTableName('01a201d8-7cc4-7031-9a2c-41c63f8631de')).toBe('_link_41c63f8631de');
});
