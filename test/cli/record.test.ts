/** `kith record`, on the database at hand and, by KITH_URL and KITH_TOKEN, on a service. [spec: Records] */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serve, type ServiceProcess } from '../faults/service.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';
import { kith, kithJson } from './in-process.ts';

// Most tests start several processes.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let service: ServiceProcess;
let machine: NodeJS.ProcessEnv;
/** In the hands of the admin, and of a user who may only look. */
let token: string;
let viewerToken: string;

beforeAll(async () => {
  database = await testDatabase();
  machine = { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'silent' };
  const made = await kithJson(
    ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@kith.test'],
    machine,
  );
  token = String(made.json['token']);
  const viewer = ['user', 'create', '--name', 'Vi', '--email', 'vi@kith.test', '--role', 'Viewer'];
  viewerToken = String((await kithJson(viewer, machine)).json['token']);
  const rows = Array.from({ length: 205 }, (_, at) => `{"first_name":"N${at}"}`).join('\n');
  await kith(['import', '--object', 'contacts', '--file', '-', '--format', 'json'], machine, rows);
  service = await serve(machine);
}, 120_000);
afterAll(async () => {
  service.kill('SIGTERM');
  await service.outcome;
  await database.drop();
});

/** Who works, and where: each has to get the same. */
const ways: [name: string, env: () => NodeJS.ProcessEnv][] = [
  ['as an admin of this machine', () => machine],
  ['as the user of KITH_TOKEN', () => ({ ...machine, KITH_TOKEN: token })],
  ['on the service at KITH_URL', () => ({ KITH_URL: `${service.url}/`, KITH_TOKEN: token })],
];

describe.each(ways)('kith record %s', (_name, env) => {
  const ok = async (args: readonly string[], input = '') => {
    const { code, json, stderr } = await kithJson(['record', ...args], env(), input);
    expect({ code, stderr }, JSON.stringify(json)).toEqual({ code: 0, stderr: '' });
    return json;
  };
  const refusal = async (args: readonly string[]) => {
    const { code, json } = await kithJson(['record', ...args], env());
    return { exit: code, ...json };
  };
  const ids: string[] = [];

  it('makes records of pairs, of JSON, and of both', async () => {
    const pairs = ['name=Globex', 'annual_revenue=1,200 EUR', 'employees=12', 'phones=+1 555 1; +1 555 2'];
    const first = await ok(['create', 'companies', ...pairs]);
    expect(first).toMatchObject({
      action: 'created',
      record: {
        name: 'Globex',
        annual_revenue: { amount: 1200, currency: 'EUR' },
        employees: 12,
        phones: [{ phone: '+1 555 1' }, { phone: '+1 555 2' }],
      },
    });
    const second = await ok(['create', 'companies', '--data', '-'], '{"name":"Initech","employees":90071992547409931}');
    expect(JSON.stringify(second['record'])).toContain('"employees":90071992547409931');
    const third = await ok(['create', 'companies', 'name=Hooli', '--data', '{"name":"x","employees":7}']);
    expect(third['record']).toMatchObject({ name: 'Hooli', employees: 7 });
    for (const { id } of [first, second, third]) ids.push(String(id));
  });

  it('lists them: sorted, filtered, searched, page by page and all at once', async () => {
    const names = async (...args: readonly string[]) => {
      const { code, json } = await kithJson(['record', 'list', 'companies', '--fields', 'name', ...args], env());
      expect(code, JSON.stringify(json)).toBe(0);
      return { ...json, data: (json['data'] as unknown as { name: string }[]).map(({ name }) => name) };
    };
    expect(await names('--sort', 'name')).toEqual({ data: ['Globex', 'Hooli', 'Initech'], total: 3 });
    expect((await names('--sort=-employees,name')).data).toEqual(['Initech', 'Globex', 'Hooli']);
    expect((await names('--sort', '[{"field":"name","direction":"desc"}]')).data[0]).toBe('Initech');
    expect(await names('--search', 'hool')).toEqual({ data: ['Hooli'], total: 1 });
    const filters = { type: 'AND', conditions: [{ field: 'employees', operator: 'less_than', value: 10 }] };
    expect((await names('--filters', JSON.stringify(filters))).data).toEqual(['Hooli']);
    const page = await names('--sort', 'name', '--limit', '2');
    expect(page).toEqual({ data: ['Globex', 'Hooli'], total: 3, nextCursor: expect.any(String) });
    const next = await names(
      '--sort',
      'name',
      '--limit',
      '2',
      '--cursor',
      String('nextCursor' in page && page.nextCursor),
    );
    expect(next).toEqual({ data: ['Initech'], total: 3 });
  });

  it('takes all pages', async () => {
    const all = await ok(['list', 'contacts', '--all', '--fields', 'first_name', '--sort', 'first_name']);
    const data = all['data'] as unknown as { id: string }[];
    expect([data.length, new Set(data.map(({ id }) => id)).size, all['total']]).toEqual([205, 205, 205]);
    expect(all).not.toHaveProperty('nextCursor');
  });

  it('gets, changes and deletes one', async () => {
    const [id = ''] = ids;
    expect(await ok(['get', 'companies', id, '--fields', 'name'])).toMatchObject({ record: { id, name: 'Globex' } });
    const changed = await ok(['update', 'companies', id, 'name=Globex Ltd', 'employees=']);
    expect(changed).toMatchObject({ action: 'updated', record: { id, name: 'Globex Ltd', employees: null } });
    for (const each of ids) expect(await ok(['delete', 'companies', each])).toEqual({ deleted: true });
    expect(await refusal(['get', 'companies', id])).toEqual({
      exit: 3,
      code: 'RECORD_NOT_FOUND',
      message: `No record "${id}" in companies`,
    });
  });

  it('lists what was written, and undoes it', async () => {
    const changes = (...args: readonly string[]) => kithJson(['changes', ...args], env());
    const { id } = await ok(['create', 'companies', 'name=Umbrella']);
    await ok(['update', 'companies', String(id), 'name=Mistake']);
    const listed = await changes('list', '--limit', '1');
    expect(listed.json).toMatchObject({ data: [{ writes: 1, records: 1 }], nextCursor: expect.any(String) });
    const [latest] = listed.json['data'] as unknown as [{ id: string }];
    const { stdout, stderr } = await kith(['changes', 'list', '--limit', '1'], env());
    const [head, line = ''] = stdout.split('\n').map((text) => text.split('\t').join('|'));
    expect(head).toBe('id|at|records|by|operation');
    expect(line).toMatch(/^[-0-9a-f]{36}\|\d{4}-\d\d-\d\d \d\d:\d\d\|1\|[^|]+\|records\.update$/);
    expect(stderr).toMatch(/^The next page is --cursor \S+\n$/);
    expect(await changes('undo', latest.id)).toMatchObject({
      code: 0,
      json: { action: 'undone', undone: 1, left: [] },
    });
    expect(await ok(['get', 'companies', String(id)])).toMatchObject({ record: { name: 'Umbrella' } });
    const again = await kith(['changes', 'undo', latest.id], env());
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Nothing was undone\ncompanies \S+: changed_since \(name\)\n$/),
    });
    expect(await changes('undo', 'nonsense')).toMatchObject({ code: 3, json: { code: 'RECORD_NOT_FOUND' } });
    expect((await changes('undo', '')).json['message']).toBe(
      'The id of the change set is empty; perhaps a variable is not set',
    );
    expect((await kith(['changes', 'list', '--since', '2099-01-01'], env())).stderr).toBe(
      'Nothing was written since then\n',
    );
    await ok(['delete', 'companies', String(id)]);
  });

  it('tells people what they need', async () => {
    const made = await kith(['record', 'create', 'companies', 'name=Globex'], env());
    const id = /^id\t(\S+)\naction\tcreated\n$/.exec(made.stdout)?.[1] ?? '';
    const list = await kith(['record', 'list', 'companies', '--fields', 'name,annual_revenue'], env());
    expect(list).toEqual({ code: 0, stdout: `id\tname\tannual_revenue\n${id}\tGlobex\t\n`, stderr: '' });
    await ok(['create', 'companies', 'name=Other']);
    const page = await kith(['record', 'list', 'companies', '--limit', '1', '--fields', 'name'], env());
    expect(page.stderr).toMatch(/^1 of 2 records; --all takes them all, and the next page is\n {2}--cursor \S+\n$/);
    const got = await kith(['record', 'get', 'companies', id, '--fields', 'name'], env());
    expect(got.stdout).toBe(`id\t${id}\nname\tGlobex\n`);
    const { data } = await ok(['list', 'companies']);
    for (const record of data as unknown as { id: string }[]) await ok(['delete', 'companies', record.id]);
  });

  it.each<[args: string[], exit: number, answer: object]>([
    [['list', 'compnies'], 3, { code: 'INVALID_OBJECT', available_values: expect.arrayContaining(['companies']) }],
    [['list', 'companies', '--sort', 'nme'], 3, { code: 'INVALID_FIELD', message: expect.stringContaining('name') }],
    [['list', 'companies', '--filters', '{'], 2, { message: expect.stringMatching(/^--filters is not JSON: /) }],
    [['list', 'companies', '--all', '--limit', '3'], 2, { message: '--all and --limit exclude each other' }],
    [['get', 'companies', 'nonsense'], 3, { code: 'RECORD_NOT_FOUND' }],
    [['create', 'companies'], 2, { message: expect.stringMatching(/^No values are given: name=value for each/) }],
    [['create', 'companies', 'Globex'], 2, { message: '"Globex" has to look like name=value' }],
    [['create', 'companies', 'name=a', 'name=b'], 2, { message: '"name" is given twice' }],
    [['create', 'companies', '--data', '[]'], 2, { message: expect.stringMatching(/^--data must be a JSON object/) }],
    [
      ['create', 'companies', 'name=a', 'indstry=software'],
      2,
      {
        code: 'VALIDATION_ERROR',
        field_errors: [{ field: 'indstry', message: expect.stringContaining('did you mean "industry"?') }],
        available_values: expect.arrayContaining(['industry']),
      },
    ],
    [
      ['create', 'companies', 'name=a', 'employees=many'],
      2,
      { field_errors: [{ field: 'employees', message: 'employees must be a whole number such as 1200, not "many"' }] },
    ],
    [['update', 'companies', '01890a5d-ac96-774b-bcce-b302099a8057', 'name=b'], 3, { code: 'RECORD_NOT_FOUND' }],
  ])('refuses %j with exit code %i', async (args, exit, answer) => {
    expect(await refusal(args)).toMatchObject({ exit, ...answer });
  });
});

describe('whose record commands are', () => {
  const create = ['record', 'create', 'companies', 'name=x'];

  it.each<[name: string, env: () => NodeJS.ProcessEnv]>([
    ['on the database', () => ({ ...machine, KITH_TOKEN: viewerToken })],
    ['on a service', () => ({ KITH_URL: service.url, KITH_TOKEN: viewerToken })],
  ])('a token does what its user may: %s', async (_name, env) => {
    expect(await kithJson(create, env())).toMatchObject({ code: 4, json: { code: 'PERMISSION_DENIED' } });
    expect((await kith(['record', 'list', 'companies'], env())).code).toBe(0);
  });

  it.each<[name: string, env: () => NodeJS.ProcessEnv]>([
    ['on the database', () => ({ ...machine, KITH_TOKEN: `${token}x` })],
    ['on a service', () => ({ KITH_URL: service.url, KITH_TOKEN: `${token}x` })],
  ])('a token that is none is refused: %s', async (_name, env) => {
    const { code, json } = await kithJson(create, env());
    expect({ code, json }).toEqual({
      code: 4,
      json: { code: 'UNAUTHORIZED', message: expect.stringMatching(/^KITH_TOKEN: The API token/) },
    });
  });

  it('--org goes before KITH_TOKEN', async () => {
    expect((await kith([...create, '--org', 'Acme'], { ...machine, KITH_TOKEN: viewerToken })).code).toBe(0);
  });

  it('a token of another organization than KITH_ORG names is refused', async () => {
    const other = ['org', 'create', '--name', 'Other', '--admin-name', 'Ada', '--admin-email', 'ada@kith.test'];
    const made = await kithJson(other, machine);
    const both = { ...machine, KITH_TOKEN: token, KITH_ORG: 'Other' };
    expect(await kithJson(create, both)).toMatchObject({
      code: 2,
      json: { message: 'KITH_TOKEN is not of the organization of KITH_ORG, "Other": unset one of them, or give --org' },
    });
    expect((await kith(create, { ...both, KITH_ORG: 'Acme' })).code).toBe(0);
    const removed = ['org', 'delete', '--org', String(made.json['organizationId']), '--confirm', 'Other'];
    expect((await kith(removed, machine)).code).toBe(0);
  });

  it('the path of REST at the end of KITH_URL is left out', async () => {
    const env = { KITH_URL: `${service.url}/api/v1/`, KITH_TOKEN: token };
    expect((await kith(['record', 'list', 'companies'], env)).code).toBe(0);
  });

  it.each<[env: () => NodeJS.ProcessEnv, args: readonly string[], exit: number, message: RegExp]>([
    [() => ({ KITH_URL: service.url }), [], 2, /^KITH_URL needs KITH_TOKEN/],
    [() => ({ KITH_URL: service.url, KITH_TOKEN: token }), ['--org', 'Acme'], 2, /^--org is for the database at hand/],
    [() => ({ KITH_URL: 'crm.example', KITH_TOKEN: token }), [], 2, /^KITH_URL must look like https:/],
    [() => ({ KITH_URL: 'http://127.0.0.1:2', KITH_TOKEN: token }), [], 69, /^KITH_URL, "http:.*", does not answer: /],
    [() => ({ KITH_URL: `${service.url}/docs`, KITH_TOKEN: token }), [], 3, /\/docs\/api/],
  ])('says what is wrong with a setting', async (env, args, exit, message) => {
    const { code, json } = await kithJson(['record', 'list', 'companies', ...args], env());
    expect({ code, message: json['message'] }).toEqual({ code: exit, message: expect.stringMatching(message) });
  });
});
