import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open } from '../../src/auth/seal.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { loadModel } from '../../src/model/load.ts';
import { schemaName } from '../../src/model/names.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { createOrganization, type CreatedOrganization } from '../../src/provision/create-organization.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { acme, hasSchema, rowsOf, setUp, type Setup } from './setup.ts';

const schemaVersion = latestVersion(allMigrations.organization);

let setup: Setup;
let created: CreatedOrganization;

beforeAll(async () => {
  setup = await setUp();
  created = await acme(setup.deps);
});

afterAll(() => setup.drop());

describe('a new organization', () => {
  it('is in the directory, also for other processes', async () => {
    const { organizationId, schemaName: schema, datasourceId } = created;
    const expected = { id: organizationId, name: 'Acme', schema, datasourceId, schemaVersion };
    expect(await setup.deps.directory.organization(organizationId)).toEqual(expected);
    expect(await setup.anotherDirectory().organization(organizationId.toUpperCase())).toEqual(expected);
    expect(schema).toBe(schemaName(organizationId));
  });

  it('has a token that names it', async () => {
    const { tokenId, organizationId } = await setup.deps.tokens.verify(created.token);
    expect(organizationId).toBe(created.organizationId);
    expect((await setup.deps.directory.organizationOfToken(tokenId))?.id).toBe(created.organizationId);
  });

  it('has its settings, and a data key that only the keyring opens', async () => {
    const [row] = await rowsOf(
      setup.main,
      sql`select name, currency, timezone, epoch, moved, model_version, schema_version, data_key
        from ${identifier(created.schemaName, '_organization')}`,
    );
    expect(row?.slice(0, 7)).toEqual(['Acme', 'USD', 'UTC', '1', 'f', '1', String(schemaVersion)]);
    const place = `${created.schemaName}._organization/${created.organizationId}/data_key`;
    expect(open(setup.deps.keyring, row?.[7] ?? '', place)).toHaveLength(32);
  });

  it('has its admin as first user', async () => {
    const rows = await rowsOf(
      setup.main,
      sql`select u.id, u.user_id, u.name, u.email, u.is_active, u.search_text, r.id, r.is_admin
        from ${identifier(created.schemaName, '_users')} u join ${identifier(created.schemaName, '_roles')} r on r.id = u.role_id`,
    );
    const { workspaceUserId, userId, roleId } = created;
    const search = 'ada lovelace ada@acme.test';
    expect(rows).toEqual([[workspaceUserId, userId, 'Ada Lovelace', 'ada@acme.test', 't', search, roleId, 't']]);
  });

  it('has a table for every object, with the columns of its fields', async () => {
    const model = await loadModel(setup.main, { id: created.organizationId, schema: created.schemaName });
    expect([...model.objects.keys()]).toEqual([
      ...['contacts', 'companies', 'opportunities', 'tasks', 'notes'],
      ...['threads', 'interactions', 'events'],
    ]);
    for (const object of model.objects.values()) {
      if (object.kind === 'internal') continue; // a migration makes its table, with columns that no field shows
      const columns = [...object.attributes.values()].flatMap((field) => fieldType(field.type).columns(field));
      const own = ['deleted_at', 'search_text', 'search_parts'];
      const expected = [...columns.map((column) => column.name), ...own].toSorted();
      const rows = await rowsOf(
        setup.main,
        sql`select attname from pg_attribute where attnum > 0 and not attisdropped
          and attrelid = ${`${created.schemaName}.${object.table}`}::regclass`,
      );
      expect(rows.map(([name]) => name ?? '').toSorted()).toEqual(expected);
    }
  });

  it('has an index for what rows are found by, each on its first column', async () => {
    const rows = await rowsOf(
      setup.main,
      sql`select c.relname, a.attname, am.amname from pg_index i
        join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_class x on x.oid = i.indexrelid join pg_am am on am.oid = x.relam
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where n.nspname = ${created.schemaName} and c.relname in ('contacts', 'companies', 'opportunities')`,
    );
    expect(rows.map((row) => row.join(' ')).toSorted()).toEqual(
      [
        ...['contacts', 'companies', 'opportunities'].flatMap((table) => [
          `${table} id btree`,
          `${table} created_at btree`,
          `${table} deleted_at btree`,
          `${table} search_text gin`,
          `${table} owner btree`,
          `${table} created_by btree`,
        ]),
        'contacts emails gin',
        'contacts phones gin',
        'contacts tags gin',
        'contacts company_id btree',
        'companies phones gin',
        'companies industry btree',
        'opportunities source btree',
        'opportunities company_id btree',
        'opportunities pipeline_step_id btree',
      ].toSorted(),
    );
  });

  it('has a table for the links of a MANY_TO_MANY', async () => {
    const model = await loadModel(setup.main, { id: created.organizationId, schema: created.schemaName });
    const linkTable = model.objects.get('opportunities')?.attributes.get('contacts')?.linkTable ?? '';
    expect(linkTable).toMatch(/^_link_[0-9a-f]{12}$/);
    const ids = sql`gen_random_uuid(), gen_random_uuid(), 0`;
    await rowsOf(
      setup.main,
      sql`insert into ${identifier(created.schemaName, linkTable)} (source_id, target_id, position, role) values (${ids}, 'buyer')`,
    );
    expect(await rowsOf(setup.main, sql`select role from ${identifier(created.schemaName, linkTable)}`)).toEqual([
      ['buyer'],
    ]);
  });

  it('shares nothing with the next one, whose admin may be the same person', async () => {
    const other = await acme(setup.deps);
    expect(other.userId).toBe(created.userId);
    expect(other.schemaName).not.toBe(created.schemaName);
    expect(other.workspaceUserId).not.toBe(created.workspaceUserId);
  });

  it('takes currency, time zone and names as given, without spaces around them', async () => {
    const { schemaName: schema } = await createOrganization(setup.deps, {
      name: '  Übermut & Söhne "\\ GmbH\' ',
      adminName: ' Bo ',
      adminEmail: ' Bo@Example.test ',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
    });
    const [settings] = await rowsOf(
      setup.main,
      sql`select name, currency, timezone from ${identifier(schema, '_organization')}`,
    );
    expect(settings).toEqual(['Übermut & Söhne "\\ GmbH\'', 'EUR', 'Europe/Berlin']);
    expect(await rowsOf(setup.main, sql`select name, email from ${identifier(schema, '_users')}`)).toEqual([
      ['Bo', 'Bo@Example.test'],
    ]);
  });
});

describe('what is refused', () => {
  const good = { name: 'Acme', adminName: 'Ada', adminEmail: 'ada@acme.test' };

  it.each([
    ['an empty name', { name: '  ' }, ['name']],
    ['a name with NUL', { name: 'a\0b' }, ['name']],
    ['a name with half a character', { name: 'a\ud800' }, ['name']],
    ['a long name', { name: 'x'.repeat(201) }, ['name']],
    ['an admin without name', { adminName: '' }, ['adminName']],
    ['an address without @', { adminEmail: 'ada.acme.test' }, ['adminEmail']],
    ['an address with a space', { adminEmail: 'ada l@acme.test' }, ['adminEmail']],
    ['an address with NUL', { adminEmail: 'ada\0@acme.test' }, ['adminEmail']],
    ['two addresses', { adminEmail: 'ada@acme.test,bo@acme.test' }, ['adminEmail']],
    ['an unknown currency', { currency: 'ABC' }, ['currency']],
    ['a currency in small letters', { currency: 'eur' }, ['currency']],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, ['timezone']],
    ['an offset as time zone', { timezone: '+02:00' }, ['timezone']],
    [
      'all at once',
      { name: '', adminName: '', adminEmail: '', currency: '', timezone: '' },
      ['name', 'adminName', 'adminEmail', 'currency', 'timezone'],
    ],
  ])('%s', async (_, change, fields) => {
    const refusal = await createOrganization(setup.deps, { ...good, ...change }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', fieldErrors: fields.map((field) => ({ field })) });
  });

  it('an unknown datasource, naming those there are', async () => {
    const refusal = createOrganization(setup.deps, { ...good, datasource: 'moon' });
    await expect(refusal).rejects.toMatchObject({ code: 'VALIDATION_ERROR', availableValues: ['main'] });
  });
});

it('an organization whose schema could not be made is seen by nobody', async () => {
  const ids: string[] = [];
  const failing = {
    ...setup.main,
    transaction(affinity: string): Promise<never> {
      ids.push(affinity);
      return Promise.reject(new Error('disk full'));
    },
  };
  const directory = { ...setup.deps.directory, databaseOf: () => Promise.resolve(failing) };
  const before = await setup.deps.directory.organizations();
  await expect(acme({ ...setup.deps, directory })).rejects.toThrow('disk full');
  expect(await setup.deps.directory.organizations()).toEqual(before);
  expect(await setup.deps.directory.organization(ids[0] ?? '')).toBeUndefined();
  expect(await hasSchema(setup.main, schemaName(ids[0] ?? ''))).toBe(false);
});
