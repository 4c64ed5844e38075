/** Built-in objects come to organizations that were made before them, beside whatever has their names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../src/doctor/doctor.ts';
import { checkOf } from '../../src/doctor/finding.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { builtInObjects } from '../../src/model/built-ins.ts';
import { dropField } from '../../src/model/ddl-changes.ts';
import { objectWithId, type Model } from '../../src/model/model.ts';
import { loadModel } from '../../src/model/load.ts';
import { schemaName } from '../../src/model/names.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { migrate } from '../../src/provision/migrate.ts';
import { migrationStatus } from '../../src/provision/migration-status.ts';
import { latestVersion, allMigrations } from '../../src/provision/migrations.ts';
import { backUp } from '../../src/transfer/backup.ts';
import type { Restored } from '../../src/transfer/restore-organization.ts';
import { restore } from '../../src/transfer/restore.ts';
import { kithJson } from '../cli/kith.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { rowsOf, withoutLaterTables, withoutManaged } from './setup.ts';

let kith: TestKith;
let folder: string;
beforeAll(async () => {
  kith = await startKith();
  folder = await mkdtemp(join(tmpdir(), 'kith-built-ins-'));
});
afterAll(async () => {
  await kith.stop();
  await rm(folder, { recursive: true });
});

const table = ({ schema }: TestOrganization, name: string) => identifier(schema, name);
const run = (query: ReturnType<typeof sql>) => rowsOf(kith.database.database, query);
const nothing = { applied: [], failed: [], obstacles: [] };
const latest = latestVersion(allMigrations.organization);
/** The version before tasks and notes. */
const ground = 4;
const later = allMigrations.organization.filter(({ version }) => version > ground);
const laterOf = ({ schema }: TestOrganization) => later.map(({ version, name }) => ({ schema, version, name }));

/** An organization as the release before made it. */
async function earlier(): Promise<TestOrganization> {
  const organization = await kith.organization();
  await withoutManaged(kith.database.database, organization);
  await withoutLaterTables(kith.database.database, organization.schema);
  await run(sql`update ${table(organization, '_organization')}
    set schema_version = ${ground}::int, model_version = model_version + 1`);
  await kith.deps.directory.setSchemaVersion(organization.id, ground);
  return organization;
}

const migrateAll = () => migrate({ main: kith.database.database, directory: kith.deps.directory, clock: systemClock });

/** The problems that the doctor finds. */
async function problems(): Promise<readonly string[]> {
  const main = kith.database.database;
  const secret = { dataDir: '', isConfigured: true };
  const found = await examine({ ...kith.deps, main, secret, isEmbedded: false });
  return found.map(checkOf).flatMap(({ ok, detail }) => (ok ? [] : [detail]));
}

const namesOf = async ({ admin }: TestOrganization): Promise<string[]> =>
  (await admin.get('/schema')).json.objects.map(({ name }: { name: string }) => name);

/** The machine may be busy, and the command line is a process of its own. */
const patience = 120_000;

describe('an organization without tasks and notes', () => {
  it(
    'has them after a migration, and a second one does nothing',
    async () => {
      const organization = await earlier();
      expect(await namesOf(organization)).toEqual(['contacts', 'companies', 'opportunities']);
      const company = await organization.admin.post('/records/companies', { name: 'Globex' });
      expect((await migrateAll()).applied).toEqual(laterOf(organization));
      expect(await namesOf(organization)).toEqual(['contacts', 'companies', 'opportunities', 'tasks', 'notes']);
      expect((await organization.admin.get('/aggregate/tasks')).json.value).toBe(0);
      expect((await organization.admin.get(`/records/companies/${company.json.id}`)).status).toBe(200);
      expect(await migrateAll()).toEqual(nothing);
      expect(await problems()).toEqual([]);
    },
    patience,
  );
});

describe('an organization with a custom object called tasks', () => {
  it(
    'keeps it with its records, is told what to do, and has both when it has done so',
    async () => {
      const organization = await earlier();
      const { admin, schema } = organization;
      const reply = await admin.post('/manifest', {
        objects: [{ name: 'chores', fields: [{ name: 'name', type: 'TEXT' }] }],
        roles: [{ name: 'Rep', permissions: { '*': { view: 'all' }, chores: { view: 'own' } } }],
      });
      expect(reply.status, reply.text).toBe(200);
      const { id } = (await admin.post('/records/chores', { name: 'Sweep' })).json;
      // As it could be called before Kith took the name.
      await run(sql`alter table ${table(organization, 'chores')} rename to tasks`);
      await run(sql`update ${table(organization, '_objects')} set name = 'tasks' where name = 'chores'`);
      const permissions = JSON.stringify({ '*': { view: 'all' }, tasks: { view: 'own' } });
      await run(
        sql`update ${table(organization, '_roles')} set permissions = ${permissions}::jsonb where name = 'Rep'`,
      );
      await run(sql`update ${table(organization, '_organization')} set model_version = model_version + 1`);

      const told = {
        schema,
        message: expect.stringMatching(
          /^the custom object tasks has the name of a built-in one.*renamedFrom: tasks.*kith migrate$/,
        ),
      };
      const first = await migrateAll();
      expect(first.obstacles).toEqual([told]);
      expect(first.applied).toEqual(laterOf(organization));
      const environment = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret };
      expect((await kithJson(['migrate'], environment)).json).toEqual({ applied: [], obstacles: [told] });
      expect(await problems()).toEqual([expect.stringContaining('renamedFrom: tasks')]);

      // All else goes on, and the object itself.
      expect(await namesOf(organization)).toEqual(['contacts', 'companies', 'opportunities', 'tasks', 'notes']);
      expect((await admin.get(`/records/tasks/${id}`)).json.record.name).toBe('Sweep');
      expect((await admin.post('/records/tasks', { name: 'Mop' })).status).toBe(200);
      expect((await admin.post('/records/contacts', { first_name: 'Ada' })).status).toBe(200);
      expect((await admin.get('/aggregate/notes')).json.value).toBe(0);

      const renamed = await admin.post('/manifest', { objects: [{ name: 'chores', renamedFrom: 'tasks' }] });
      expect(renamed.status, renamed.text).toBe(200);
      expect(await migrateAll()).toEqual({ ...nothing, applied: [{ schema, version: latest, name: 'tasks' }] });
      expect((await admin.get(`/records/chores/${id}`)).json.record.name).toBe('Sweep');
      expect((await admin.get('/records/chores')).json.total).toBe(2);
      expect((await admin.get('/aggregate/tasks')).json.value).toBe(0);
      const model = await loadModel(kith.database.database, organization);
      const rep = [...model.roles.values()].find(({ name }) => name === 'Rep');
      expect([...(rep?.permissions.keys() ?? [])].toSorted()).toEqual(['*', 'chores']);
      const chores = model.objects.get('chores');
      expect(objectWithId(model, chores?.id ?? '')?.kind).toBe('custom');
      expect(await migrateAll()).toEqual(nothing);
    },
    patience,
  );
});

describe('a role that spoke of tasks before there were any', () => {
  it(
    'is told of where it names fields that they do not have',
    async () => {
      const organization = await earlier();
      const { admin, schema } = organization;
      const condition = { field: 'colour', operator: 'equals', value: 'red' };
      const permissions = { '*': { view: 'all' }, tasks: { view: { type: 'AND', conditions: [condition] } } };
      expect((await admin.post('/manifest', { roles: [{ name: 'Early', permissions }] })).status).toBe(200);
      const early = await organization.user('Early');
      const { obstacles } = await migrateAll();
      expect(obstacles).toEqual([
        { schema, message: expect.stringContaining('the role Early speaks of fields that tasks do not have: colour') },
      ]);
      expect((await early.get('/aggregate/tasks')).json.value).toBe(0);
      expect((await early.get('/records/contacts')).status).toBe(200);
      const corrected = { roles: [{ name: 'Early', permissions: { '*': { view: 'all' } } }] };
      expect((await admin.post('/manifest', corrected)).status).toBe(200);
      expect(await migrateAll()).toEqual(nothing);
    },
    patience,
  );
});

describe('a built-in field that comes with a later release', () => {
  const next = latest + 1;
  const migrations = {
    ...allMigrations,
    organization: [...allMigrations.organization, { version: next, name: 'next', script: () => 'select 1' }],
  };
  const nickname = { name: 'nickname', label: 'Nickname', type: 'TEXT', isSearchable: true, since: next } as const;
  const builtIns = builtInObjects.map((object) =>
    object.name === 'contacts' ? { ...object, fields: [...object.fields, nickname] } : object,
  );
  const upgrade = () =>
    migrate({ main: kith.database.database, directory: kith.deps.directory, clock: systemClock }, migrations, builtIns);
  const ofContacts = async ({ admin }: TestOrganization): Promise<string[]> =>
    (await admin.get('/schema/contacts')).json.fields.map(({ name }: { name: string }) => name);
  const apply = async ({ admin }: TestOrganization, field: object) => {
    const objects = [{ name: 'contacts', fields: [field] }];
    const reply = await admin.post('/manifest?allow_destroy=true', { objects });
    expect(reply.status, reply.text).toBe(200);
  };

  it(
    'reaches organizations that exist, but for one that has the name, and never comes back',
    async () => {
      const [plain, taken] = [await kith.organization(), await kith.organization()];
      const { id } = (await plain.admin.post('/records/contacts', { first_name: 'Ada' })).json;
      await apply(plain, { name: 'birthday', absent: true });
      await apply(taken, { name: 'nickname', label: 'Nick', type: 'INTEGER' });
      const numbered = (await taken.admin.post('/records/contacts', { nickname: 7 })).json.id;

      const { applied, failed, obstacles } = await upgrade();
      expect(failed).toEqual([]);
      expect(applied).toContainEqual({ schema: plain.schema, version: next, name: 'next' });
      const told = {
        schema: taken.schema,
        message: expect.stringMatching(/^the field contacts.nickname .*renamedFrom/),
      };
      expect(obstacles).toEqual([told]);
      expect(await ofContacts(plain)).toContain('nickname');
      expect(await ofContacts(plain)).not.toContain('birthday');
      const written = await plain.admin.put(`/records/contacts/${id}`, { nickname: 'Countess' });
      expect(written.json.record?.nickname, written.text).toBe('Countess');
      expect((await plain.admin.get('/records/contacts', { search: 'countess' })).json.total).toBe(1);
      expect((await taken.admin.get(`/records/contacts/${numbered}`)).json.record.nickname).toBe(7);
      expect(await upgrade()).toEqual({ ...nothing, obstacles: [told] });

      // Removed by its workspace, it stays away, also while another one waits for the name.
      await apply(plain, { name: 'nickname', absent: true });
      await apply(taken, { name: 'number', renamedFrom: 'nickname' });
      const name = 'contacts.nickname';
      expect(await upgrade()).toEqual({ ...nothing, applied: [{ schema: taken.schema, version: next, name }] });
      expect(await ofContacts(plain)).not.toContain('nickname');
      expect((await taken.admin.get(`/records/contacts/${numbered}`)).json.record).toMatchObject({
        nickname: null,
        number: 7,
      });
      await kith.deps.directory.setSchemaVersion(plain.id, latest);
      expect(await upgrade()).toEqual(nothing);
      expect(await ofContacts(plain)).not.toContain('nickname');
    },
    patience,
  );

  it('names a migration that there is', () => {
    const versions = allMigrations.organization.map(({ version }) => version);
    const named = builtInObjects.flatMap(({ fields }) => fields.flatMap(({ since }) => since ?? []));
    expect(named.filter((since) => !versions.includes(since))).toEqual([]);
  });
});

describe('an index of a large table that was not made', () => {
  it(
    'keeps the organization from being up to date',
    async () => {
      const { id, schema } = await kith.organization();
      const index = '_list_entries_list_id_created_at_id_idx';
      await run(sql`drop index ${identifier(schema, index)}`);
      // As a process that ended before it was made leaves it.
      await kith.deps.directory.setSchemaVersion(id, latest - 1);
      const status = async () => {
        const schemas = await migrationStatus(kith.database.database, kith.deps.directory);
        return schemas.find((one) => one.schema === schema);
      };
      expect(await status()).toMatchObject({ state: 'behind', pending: [index] });
      await migrateAll();
      expect(await status()).toMatchObject({ state: 'up to date', pending: [] });
    },
    patience,
  );
});

describe('an organization whose built-in objects are those of an earlier release', () => {
  /** As if this release had added the field. */
  async function without({ schema }: TestOrganization, object: string, fieldName: string): Promise<void> {
    const place = { id: '', schema };
    const model = await loadModel(kith.database.database, place);
    const { table: own, fields } = model.objects.get(object)!;
    const field = fields.find(({ name }) => name === fieldName)!;
    for (const query of dropField(schema, own, field)) await run(query);
    await run(sql`delete from ${identifier(schema, '_fields')} where id = ${field.id}::uuid`);
  }

  it(
    'has its fields and options after a migration, and a second one does nothing',
    async () => {
      const organization = await kith.organization();
      const { admin, schema, id } = organization;
      const task = await admin.post('/tasks', { title: 'Call' });
      expect(task.status, task.text).toBe(201);
      await without(organization, 'tasks', 'completed_by');
      await without(organization, 'tasks', 'companies');
      await without(organization, 'tasks', 'priority');
      const options = JSON.stringify([{ value: 'email', label: 'Email' }]);
      await run(sql`update ${table(organization, '_fields')} f set definition = jsonb_set(f.definition, '{options}', ${options}::jsonb)
        where f.name = 'action_type'`);
      const removed = await admin.post('/manifest?allow_destroy=true', {
        objects: [
          {
            name: 'contacts',
            fields: [
              { name: 'birthday', absent: true },
              { name: 'job_title', label: 'Rank' },
            ],
          },
        ],
      });
      expect(removed.status, removed.text).toBe(200);
      await run(sql`update ${table(organization, '_organization')} set model_version = model_version + 1`);
      await kith.deps.directory.setSchemaVersion(id, latest - 1);
      const backup = join(folder, 'earlier.kith');
      await backUp(kith.deps, { path: backup, organizationId: id });

      const { applied, failed } = await migrateAll();
      expect(failed).toEqual([]);
      const names = ['priority', 'action_type', 'completed_by', 'companies'];
      expect(applied).toEqual(names.map((name) => ({ schema, version: latest, name: `tasks.${name}` })));
      await kith.deps.directory.setSchemaVersion(id, latest - 1);
      expect(await migrateAll()).toEqual(nothing);
      expect(await problems()).toEqual([]);

      const fieldsOf = async (object: string) =>
        (await admin.get(`/schema/${object}`)).json.fields as { name: string; label: string; options: unknown }[];
      const contacts = await fieldsOf('contacts');
      expect(contacts.map(({ name }) => name)).not.toContain('birthday');
      expect(contacts.find(({ name }) => name === 'job_title')?.label).toBe('Rank');
      const fresh = await loadModel(kith.database.database, await kith.organization());
      const [made, renewed] = [fresh, await loadModel(kith.database.database, organization)].map(({ objects }) =>
        [...objects.values()]
          .filter(({ kind }) => kind !== 'builtIn')
          .map(({ fields }) => fields.map(({ id: _, linkTable: __, ...field }) => field)),
      );
      expect(renewed).toEqual(made);
      // A backup of the earlier release is brought up to date as it is restored.
      const [{ organizationId }] = (await restore(kith.deps, { path: backup, as: 'new' })) as [Restored];
      const restored = { id: organizationId, schema: schemaName(organizationId) };
      const fieldsIn = ({ objects }: Model) =>
        objects.get('tasks')?.fields.map(({ name, options: some }) => [name, some]);
      expect(fieldsIn(await loadModel(kith.database.database, restored))).toEqual(fieldsIn(fresh));

      const path = `/tasks/${task.json.task_id ?? task.json.id}`;
      const changed = await admin.put(path, { priority: 'urgent', action_type: 'call' });
      expect(changed.status, changed.text).toBe(200);
      expect((await admin.get(path)).text).toContain('urgent');
    },
    patience,
  );
});
