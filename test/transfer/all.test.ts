/** `kith export --all` and `kith import --all`: a workspace from one installation into another, with nothing lost. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { kithSecret, startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { fillWorkspace } from '../describe/all-types.ts';
import { kith as run, kithJson } from '../cli/in-process.ts';
import { start } from '../cli/kith.ts';

/** Companies with amounts, beside the records of every type: some of each batch. */
const many = 1_500;

const regions = {
  objects: [
    {
      name: 'regions',
      label: 'Regions',
      labelSingular: 'Region',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT', isRequired: true },
        { name: 'parent_id', label: 'Parent', type: 'RELATION', relationConfig: belongsTo('regions') },
        { name: 'city_id', label: 'City', type: 'RELATION', isRequired: true, relationConfig: belongsTo('cities') },
        { name: 'code', label: 'Code', type: 'TEXT', isUnique: true },
      ],
    },
    {
      name: 'cities',
      label: 'Cities',
      labelSingular: 'City',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT' },
        { name: 'region_id', label: 'Region', type: 'RELATION', relationConfig: belongsTo('regions') },
      ],
    },
  ],
};

function belongsTo(targetObjectName: string) {
  return { relationType: 'BELONGS_TO_ONE', targetObjectName };
}

let source: TestKith;
let organization: TestOrganization;
let rep: Client;
let directory: string;
let folder: string;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kith-all-'));
  folder = join(directory, 'acme');
  source = await startKith();
  organization = await source.organization({
    currency: 'CHF',
    timezone: 'Europe/Zurich',
    adminName: 'Ada "King" Ünï',
  });
  rep = await organization.user('Member');
  await fill(organization.admin);
  const { code, stderr } = await run(['export', '--org', organization.id, '--all', folder], here());
  if (code !== 0 || stderr !== '') throw new Error(stderr);
}, 120_000);

afterAll(async () => {
  for (const target of targets) await target.drop();
  await source?.stop();
  rmSync(directory, { recursive: true });
});

function here(): NodeJS.ProcessEnv {
  return { DATABASE_URL: source.database.url, KITH_SECRET_KEY: kithSecret, KITH_DATA_DIR: directory };
}

/** One of everything that leads to something else, in each state that it can have. */
async function fill(admin: Client): Promise<void> {
  const values = await fillWorkspace(admin);
  await must(admin.post('/manifest', regions));
  const make = async (object: string, record: object): Promise<string> =>
    (await must(admin.post(`/records/${object}`, record))).id;
  const thing = await make('things', values);
  await make('things', { title: 'Nothing else', f_pipeline: 'Over', owner: rep.workspaceUserId });
  await make('parts', { name: 'Bolt', thing_id: thing });
  const city = await make('cities', { name: '=SUM(A1) "Zürich"\r\n\u2028' });
  const upper = await make('regions', { name: 'Upper', city_id: city, code: 'u' });
  await make('regions', { name: 'Lower', city_id: city, parent_id: upper, code: 'l' });
  await must(admin.put(`/records/cities/${city}`, { region_id: upper }));

  const rows = Array.from({ length: many }, (_, at) => ({
    name: `Company ${at}`,
    annual_revenue: { amount: at + (at % 100) / 100, currency: at % 3 === 0 ? 'EUR' : 'CHF' },
  }));
  const { created_ids: companies } = await must(admin.post('/import/companies', { records: rows }));
  const contact = await make('contacts', { first_name: 'Bob', company_id: companies[0], emails: ['bob@x.test'] });
  const deal = await make('opportunities', {
    name: 'Deal',
    amount: 12_345_678_901_234.56,
    pipeline_step_id: 'Proposal',
    contacts: [{ id: contact, role: 'buyer' }],
    owner: rep.workspaceUserId,
  });
  // A record that leads into the trash keeps its place.
  await make('contacts', { first_name: 'Orphan', company_id: companies[1] });
  await must(admin.delete(`/records/companies/${companies[1]}`));

  const list = await must(
    admin.post('/lists', {
      name: 'Watched',
      object_types: ['companies', 'contacts'],
      fields: [
        { name: 'why', type: 'TEXT' },
        { name: 'who', type: 'USERS' },
      ],
    }),
  );
  const entry_fields = { why: 'big', who: rep.workspaceUserId };
  const entries = { object_type: 'companies', record_ids: companies.slice(2, 40), entry_fields };
  await must(admin.post(`/lists/${list.id}/entries`, entries));
  await must(rep.post(`/lists/${list.id}/entries`, { object_type: 'contacts', record_id: contact }));

  const about = { linked_entities: [{ type: 'opportunities', id: deal }] };
  const { task_id: task } = await must(
    admin.post('/tasks', { title: 'Call', due_date: '2026-12-24', assigned_to_id: rep.workspaceUserId, ...about }),
  );
  await must(rep.put(`/tasks/${task}/complete`, {}));
  await must(rep.post('/tasks', { title: 'Write', due_date: '2026-12-24T10:00:00Z', priority: 'urgent' }));
  const write = (client: Client, content: string, visibility: string) =>
    must(client.post('/notes', { content, data: { visibility }, ...about }));
  await write(rep, '<p>For <b>all</b></p>', 'workspace');
  await write(rep, '<p>rep alone</p>', 'private');
  await write(admin, '<p>admin alone</p>', 'private');
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
async function must(reply: ReturnType<Client['get']>): Promise<any> {
  const { status, json, text } = await reply;
  if (status >= 300) throw new Error(text);
  return json;
}

/** Another installation, with an organization of its own. */
async function installation(): Promise<{ target: TestDatabase; env: NodeJS.ProcessEnv; schema: string }> {
  const target = await testDatabase();
  targets.push(target);
  const env = { DATABASE_URL: target.url, KITH_SECRET_KEY: `${kithSecret}-of-another`, KITH_DATA_DIR: directory };
  const made = ['org', 'create', '--name', 'Globex', '--admin-name', 'Root', '--admin-email', 'root@globex.test'];
  const { json } = await kithJson(made, env);
  return { target, env, schema: String(json['schemaName']) };
}

/** Every file of a folder, but for what must differ: when it was written and the organization's own name. */
function contentOf(path: string): Record<string, string> {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ndjson|yaml)$/.test(name),
  );
  const text = (name: string) => readFileSync(join(path, name), 'utf8');
  return Object.fromEntries(files.toSorted().map((name) => [name, text(name).replace(/^ {2}name: .*$/m, '')]));
}

async function exported(env: NodeJS.ProcessEnv, name: string): Promise<Record<string, string>> {
  const path = join(directory, name);
  const { code, stderr } = await run(['export', '--all', path], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return contentOf(path);
}

/** People that are there beside those of the folder are the other installation's own. */
function withoutRoot(content: Record<string, string>): Record<string, string> {
  const users = (content['users.ndjson'] ?? '').split('\n').filter((line) => !line.includes('root@globex.test'));
  return { ...content, 'users.ndjson': users.join('\n') };
}

describe('a workspace with a field of every type', () => {
  it('is a folder of files for their owner alone, without what is private', async () => {
    expect(readdirSync(folder).toSorted()).toEqual(
      [
        'README.txt',
        'index.json',
        'list-entries.ndjson',
        'lists.ndjson',
        'manifest.yaml',
        'records',
        'users.ndjson',
      ].toSorted(),
    );
    expect(statSync(join(folder, 'records', 'contacts.ndjson')).mode & 0o777).toBe(0o600);
    const notes = readFileSync(join(folder, 'records', 'notes.ndjson'), 'utf8');
    expect(notes).toContain('For <b>all</b>');
    expect(notes).not.toContain('alone');
    const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    expect(index.files.find(({ file }: { file: string }) => file === 'records/companies.ndjson').rows).toBe(many);
  });

  it('is the same in another installation, and once more', async () => {
    const { target, env, schema } = await installation();
    const args = ['import', '--all', folder, '--create-users'];
    const first = await kithJson(args, env);
    expect(first.code, JSON.stringify(first.json)).toBe(0);
    expect(first.json).toMatchObject({ users_created: 2, errors: [], strangers: [], lost: 1 });
    const there = await exported(env, 'there');
    const expected = contentOf(folder);
    // The relation to the record in the trash is not taken along.
    const orphan = (text = '') => text.replace(/("first_name":"Orphan".*?"company_id":)"[^"]*"/, '$1null');
    expected['records/contacts.ndjson'] = orphan(expected['records/contacts.ndjson']);
    expect(withoutRoot(there)).toEqual(expected);

    const second = await kithJson(args, env);
    expect(second.code).toBe(0);
    const counts = second.json['files'] as unknown as Record<string, number>[];
    expect(counts.length).toBeGreaterThan(8);
    for (const { rows, unchanged, created, updated, failed } of counts)
      expect({ unchanged, created, updated, failed }).toEqual({ unchanged: rows, created: 0, updated: 0, failed: 0 });

    // What PostgreSQL has, not what Kith tells of it.
    const sums = async (database: TestDatabase, name: string) =>
      (
        await database.database.run(
          'test',
          statement(sql`select count(*), sum(annual_revenue), count(*) filter (where deleted_at is null)
        from ${identifier(name, 'companies')} where deleted_at is null`),
        )
      ).rows;
    expect(await sums(target, schema)).toEqual(await sums(source.database, organization.schema));
  }, 120_000);

  it('people who are not there are whoever imports, and what was changed since comes back', async () => {
    const { target, env, schema } = await installation();
    const dry = await run(['import', '--all', folder, '--dry-run'], env);
    expect(dry.code).toBe(0);
    expect(dry.stderr).toContain('things');
    const first = await kithJson(['import', '--all', folder], env);
    expect(first.code, first.stderr).toBe(0);
    expect((first.json['strangers'] as string[]).toSorted()).toEqual(['admin1@kith.test', 'user2@kith.test']);
    const before = await exported(env, 'alone');
    await target.database.run(
      'test',
      statement(sql`update ${identifier(schema, 'companies')} set name = 'Other' where name = 'Company 7'`),
    );
    await target.database.run(
      'test',
      statement(sql`delete from ${identifier(schema, 'companies')} where name = 'Company 8'`),
    );
    const again = await kithJson(['import', '--all', folder], env);
    expect(again.json['files']).toContainEqual({
      file: 'records/companies.ndjson',
      rows: many,
      created: 1,
      updated: 1,
      unchanged: many - 2,
      failed: 0,
    });
    expect(await exported(env, 'alone again')).toEqual(before);

    // What cannot come back is told, and holds up nothing else.
    const change = (query: ReturnType<typeof sql>) => target.database.run('test', statement(query));
    await change(sql`update ${identifier(schema, 'regions')} set id = ${randomUUID()}::uuid where code = 'u'`);
    await change(sql`update ${identifier(schema, 'companies')} set deleted_at = now() where name = 'Company 9'`);
    await change(sql`update ${identifier(schema, 'companies')} set name = 'Other' where name = 'Company 10'`);
    const failed = await kithJson(['import', '--all', folder], env);
    expect(failed.code).toBe(1);
    expect(failed.json['errors']).toEqual([
      { file: 'records/companies.ndjson', line: 10, error: expect.stringMatching(/is in the trash here/) },
      { file: 'records/regions.ndjson', line: 1, error: expect.stringMatching(/code/) },
    ]);
    expect((await run(['import', '--all', folder, '--allow-errors'], env)).code).toBe(0);
    const named = await change(
      sql`select from ${identifier(schema, 'companies')} where name in ('Other', 'Company 10')`,
    );
    expect(named.count).toBe(1);
  }, 120_000);

  it('killed in the middle and repeated, it is the same', async () => {
    const { target, env, schema } = await installation();
    const args = ['import', '--all', folder, '--create-users'];
    const { process: child, outcome } = start(args, env);
    const count = async () =>
      (await target.database.run('test', statement(sql`select count(*) from ${identifier(schema, 'companies')}`))).rows;
    await vi.waitUntil(async () => Number((await count())[0]?.[0]) > 0, { timeout: 60_000, interval: 5 });
    child.kill('SIGKILL');
    expect((await outcome).code).toBe(null);
    expect(await kithJson(args, env)).toMatchObject({ code: 0, json: { errors: [] } });
    const content = await exported(env, 'killed');
    const lines = (text = '') => text.split('\n').length;
    for (const [name, text] of Object.entries(contentOf(folder)))
      expect([name, lines(withoutRoot(content)[name])]).toEqual([name, lines(text)]);
    expect(content['records/companies.ndjson']).toBe(contentOf(folder)['records/companies.ndjson']);
  }, 120_000);
});

describe('a folder that is not whole', () => {
  const broken: readonly [string, (path: string) => void, number, RegExp][] = [
    ['no index', (path) => rmSync(join(path, 'index.json')), 3, /^There is no index\.json in ".*": it is no folder/],
    ['a file missing', (path) => rmSync(join(path, 'lists.ndjson')), 3, /^There is no file ".*lists\.ndjson"$/],
    [
      'a file cut',
      (path) => truncateSync(join(path, 'records', 'companies.ndjson'), 1_000),
      2,
      /companies\.ndjson" is not as it was exported: it was cut or changed; export it again$/,
    ],
    [
      'a row changed',
      (path) => {
        const file = join(path, 'records', 'companies.ndjson');
        writeFileSync(file, readFileSync(file, 'utf8').replace('Company 5"', 'Company V"'));
      },
      2,
      /companies\.ndjson" is not as it was exported/,
    ],
    [
      'a file outside of it',
      (path) => {
        const file = join(path, 'index.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"lists.ndjson"', '"../lists.ndjson"'));
      },
      2,
      /names a file that cannot be one of the folder$/,
    ],
  ];

  it('is refused with one sentence before anything is written', async () => {
    const { target, env, schema } = await installation();
    for (const [name, damage, code, message] of broken) {
      const path = join(directory, name);
      cpSync(folder, path, { recursive: true });
      damage(path);
      const outcome = await kithJson(['import', '--all', path], env);
      expect([name, outcome.code, outcome.json['message']]).toEqual([name, code, expect.stringMatching(message)]);
    }
    const objects = await target.database.run(
      'test',
      statement(sql`select from ${identifier(schema, '_objects')} where name = 'things'`),
    );
    expect(objects.rows).toEqual([]);
  }, 60_000);

  it('is never written over unless that is asked for', async () => {
    const again = ['export', '--org', organization.id, '--all', folder];
    expect(await kithJson(again, here())).toMatchObject({
      code: 5,
      json: {
        message: `The folder ${JSON.stringify(folder)} is not empty: name a new one, or write over it with --force`,
      },
    });
    const before = contentOf(folder);
    expect((await kithJson([...again, '--force'], here())).code).toBe(0);
    expect(contentOf(folder)).toEqual(before);
  });

  it('says what goes together', async () => {
    for (const [args, message] of [
      [['export', '--all', folder, '--object', 'contacts'], /cannot be used with option '--object <name>'/],
      [['export', '--json'], /^--object is needed, or --all for everything$/],
      [['import', '--all', folder, '--map', 'a=b'], /cannot be used with option '--map/],
      [['import', '--object', 'contacts', '--file', 'x', '--create-users'], /^--create-users goes with --all$/],
      [['import', '--object', 'contacts'], /^--file is needed, or --all for a folder$/],
    ] as const) {
      const { code, json } = await kithJson(args, here());
      expect([code, json['message']]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});
