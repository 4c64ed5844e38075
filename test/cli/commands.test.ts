import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { kith, kithJson } from './in-process.ts';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const token = expect.stringMatching(/^svc_[\w-]+\.[\w-]+\.[\w-]+$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

let test: TestDatabase;
let env: NodeJS.ProcessEnv;
let org: string;

beforeAll(async () => {
  test = await testDatabase();
  env = { DATABASE_URL: test.url, KITH_DATA_DIR: mkdtempSync(join(tmpdir(), 'kith-cli-')) };
});

afterAll(async () => {
  await test.drop();
  rmSync(env['KITH_DATA_DIR'] ?? '', { recursive: true });
});

/** What a command prints under `--json` when it works. */
async function ok(...args: readonly string[]) {
  const { code, json, stderr } = await kithJson(args, env);
  expect({ code, stderr }, JSON.stringify(json)).toEqual({ code: 0, stderr: '' });
  return json;
}

describe('on an empty database', () => {
  it('kith migrate says what it applied, then nothing', async () => {
    const { applied } = await ok('migrate');
    expect(applied).toContainEqual({ schema: 'kith', version: 1, name: expect.any(String) });
    expect(await ok('migrate')).toEqual({ applied: [] });
  });

  it('kith org list is empty, and a note says how to make one', async () => {
    const stderr = 'No organization yet: kith org create makes one\n';
    expect(await kithJson(['org', 'list'], env)).toEqual({ code: 0, json: { organizations: [] }, stderr });
    expect(await kith(['org', 'list'], env)).toEqual({ code: 0, stdout: '', stderr });
  });
});

it('an empty --org says that a variable may not be set', async () => {
  const { code, stderr } = await kith(['token', 'list', '--org', ''], env);
  expect([code, stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('--org is empty; perhaps a variable is not set'),
  ]);
});

describe('with an organization', () => {
  let created: Awaited<ReturnType<typeof ok>>;

  beforeAll(async () => {
    created = await ok(
      'org',
      'create',
      '--name',
      'Acme',
      '--admin-name',
      'Ada King',
      '--admin-email',
      'ada@acme.test',
      '--currency',
      'EUR',
    );
    org = String(created['organizationId']);
  });

  it('kith org create', () => {
    expect(created).toEqual({
      organizationId: uuid,
      schemaName: `org_${org.replaceAll('-', '')}`,
      datasourceId: uuid,
      userId: uuid,
      workspaceUserId: uuid,
      roleId: uuid,
      token,
    });
  });

  it.each([
    [
      ['org', 'create', '--name', 'A', '--admin-name', '', '--admin-email', 'x', '--timezone', 'Mars'],
      /^--admin-name must not be empty; --admin-email must be an e-mail address; --timezone must be /,
    ],
    [
      ['token', 'create', '--org', 'ORG', '--email', 'ada@acme.test', '--name', 'x', '--expires-in', 'soon'],
      /^--expires-in must be /,
    ],
    [['trash', 'purge', '--org', 'ORG', '--older-than', '101y'], /'--older-than <time>'.* at most 100y/],
  ])('names flags as flags: kith %j', async (args, message) => {
    const { code, json } = await kithJson(
      args.map((arg) => (arg === 'ORG' ? org : arg)),
      env,
    );
    expect({ code, json }).toEqual({
      code: 2,
      json: { code: 'VALIDATION_ERROR', message: expect.stringMatching(message) },
    });
  });

  it('kith org list names it', async () => {
    const schemaName = `org_${org.replaceAll('-', '')}`;
    expect(await ok('org', 'list')).toEqual({
      organizations: [{ id: org, name: 'Acme', schemaName, datasourceId: uuid }],
    });
    const { stdout } = await kith(['org', 'list'], env);
    expect(stdout).toMatch(new RegExp(`^id\tname\tschemaName\tdatasourceId\n${org}\tAcme\t${schemaName}\t[^\t]+\n$`));
  });

  it('kith user create, update', async () => {
    const user = await ok(
      'user',
      'create',
      '--org',
      org,
      '--name',
      'Bob Ray',
      '--email',
      'bob@acme.test',
      '--role',
      'Member',
    );
    expect(user).toEqual({ userId: uuid, workspaceUserId: uuid, roleId: uuid, token });
    const changed = await ok(
      'user',
      'update',
      '--org',
      org,
      '--email',
      'bob@acme.test',
      '--active',
      'false',
      '--name',
      'Bob R.',
    );
    expect(changed).toEqual({
      id: user['workspaceUserId'],
      name: 'Bob R.',
      email: 'bob@acme.test',
      role_id: user['roleId'],
      is_active: false,
    });
    const admin = await ok(
      'user',
      'update',
      '--org',
      org,
      '--email',
      'bob@acme.test',
      '--role',
      'Admin',
      '--active',
      'true',
    );
    expect(admin).toMatchObject({ name: 'Bob R.', is_active: true });
    expect(admin['role_id']).not.toBe(user['roleId']);
  });

  it('kith user create --inactive', async () => {
    await ok(
      'user',
      'create',
      '--org',
      org,
      '--name',
      'Cy',
      '--email',
      'cy@acme.test',
      '--role',
      'Viewer',
      '--inactive',
    );
    expect(await ok('user', 'update', '--org', org, '--email', 'cy@acme.test')).toMatchObject({ is_active: false });
  });

  it('kith token create, list, revoke', async () => {
    const made = await ok(
      'token',
      'create',
      '--org',
      org,
      '--email',
      'ada@acme.test',
      '--name',
      'ci',
      '--scopes',
      'mcp,read',
      '--expires-in',
      '90d',
    );
    expect(made).toEqual({ tokenId: uuid, token });
    const id = String(made['tokenId']);
    const mine = async () => {
      const { tokens } = await ok('token', 'list', '--org', org);
      return Array.isArray(tokens) ? tokens.find((one) => JSON.stringify(one).includes(id)) : undefined;
    };
    const row = {
      id,
      name: 'ci',
      scopes: ['mcp', 'read'],
      email: 'ada@acme.test',
      created_at: time,
      expires_at: time,
      last_used_at: null,
    };
    expect(await mine()).toEqual({ ...row, revoked_at: null });
    expect(await ok('token', 'revoke', id)).toEqual({ tokenId: id, revoked: true });
    expect(await mine()).toEqual({ ...row, revoked_at: time });
  });

  it('kith trash purge', async () => {
    expect(await ok('trash', 'purge', '--org', org)).toEqual({ purged: 0 });
    const rows = JSON.stringify([{ first_name: 'One' }, { first_name: 'Two' }]);
    const imported = await kithJson(['import', '--org', org, '--object', 'contacts', '--file', '-'], env, rows);
    expect(imported.code, imported.stderr).toBe(0);
    const schema = `org_${org.replaceAll('-', '')}`;
    await test.database.run(org, {
      text: `update "${schema}".contacts set deleted_at = now() - interval '8 days'`,
      values: [],
    });
    expect(await ok('trash', 'purge', '--org', org)).toEqual({ purged: 0 });
    expect(await ok('trash', 'purge', '--org', org, '--older-than', '9d')).toEqual({ purged: 0 });
    expect(await ok('trash', 'purge', '--org', org, '--older-than', '1w')).toEqual({ purged: 2 });
    const { rows: history } = await test.database.run(org, {
      text: `select means, count(*) from "${schema}"._history where action = 'purge' and actor_id is not null group by means`,
      values: [],
    });
    expect(history).toEqual([['cli', '2']]);
  });

  it('kith datasource add reads the address from standard input, list hides it', async () => {
    const other = await testDatabase();
    try {
      const added = await kithJson(['datasource', 'add', '--name', 'east', '--url', '-'], env, `${other.url}\n`);
      expect(added).toEqual({
        code: 0,
        stderr: '',
        json: { datasourceId: uuid, engine: expect.stringMatching(/^(postgresql|citus)$/) },
      });
      const { datasources } = await ok('datasource', 'list');
      expect(datasources).toEqual([
        { id: uuid, name: 'main', engine: expect.any(String) },
        { id: added.json['datasourceId'], name: 'east', engine: expect.any(String) },
      ]);
      const args = [
        'org',
        'create',
        '--name',
        'East',
        '--admin-name',
        'E',
        '--admin-email',
        'e@east.test',
        '--datasource',
        'east',
      ];
      expect(await ok(...args)).toMatchObject({ datasourceId: added.json['datasourceId'] });
    } finally {
      await other.drop();
    }
  });

  const refused: [args: string[], code: number, error: string][] = [
    [['org', 'create', '--name', ' ', '--admin-name', 'A', '--admin-email', 'a@x.test'], 2, 'VALIDATION_ERROR'],
    [['org', 'create', '--name', 'A', '--admin-name', 'A', '--admin-email', 'nobody'], 2, 'VALIDATION_ERROR'],
    [
      ['org', 'create', '--name', 'A', '--admin-name', 'A', '--admin-email', 'a@x.test', '--currency', 'EURO'],
      2,
      'VALIDATION_ERROR',
    ],
    [['user', 'create', '--org', unknownId, '--name', 'A', '--email', 'a@x.test', '--role', 'Member'], 3, 'NOT_FOUND'],
    [['user', 'create', '--org', 'ORG', '--name', 'A', '--email', 'a@x.test', '--role', 'Boss'], 2, 'VALIDATION_ERROR'],
    [
      ['user', 'create', '--org', 'ORG', '--name', 'A', '--email', 'ADA@acme.test', '--role', 'Member'],
      5,
      'DUPLICATE_RECORD',
    ],
    [['user', 'update', '--org', 'ORG', '--email', 'who@acme.test'], 3, 'NOT_FOUND'],
    [['token', 'create', '--org', 'ORG', '--email', 'who@acme.test', '--name', 'x'], 3, 'NOT_FOUND'],
    [
      ['token', 'create', '--org', 'ORG', '--email', 'ada@acme.test', '--name', 'x', '--expires-in', 'soon'],
      2,
      'VALIDATION_ERROR',
    ],
    [['token', 'list', '--org', 'nonsense'], 3, 'NOT_FOUND'],
    [['token', 'revoke', unknownId], 3, 'NOT_FOUND'],
    [['trash', 'purge', '--org', 'ORG', '--older-than', 'soon'], 2, 'VALIDATION_ERROR'],
    [['trash', 'purge', '--org', 'ORG', '--older-than', '99999y'], 2, 'VALIDATION_ERROR'],
    [['trash', 'purge', '--org', unknownId], 3, 'NOT_FOUND'],
    [['datasource', 'add', '--name', 'North East', '--url', 'postgres://x@127.0.0.1:1/x'], 2, 'VALIDATION_ERROR'],
    [['datasource', 'add', '--name', 'north', '--url', 'postgres://x@127.0.0.1:1/x'], 69, 'UNAVAILABLE'],
  ];
  for (const [args, code, error] of refused) {
    it(`kith ${args.join(' ')} ends with ${code}`, async () => {
      const result = await kithJson(
        args.map((arg) => (arg === 'ORG' ? org : arg)),
        env,
      );
      expect(result).toMatchObject({ code, json: { code: error, message: expect.stringMatching(/./) } });
      expect(Object.keys(result.json)).toEqual(['code', 'message']);
    });
  }

  it('warns of a setting that is misspelt, beside the answer', async () => {
    const { code, json, stderr } = await kithJson(['org', 'list'], { ...env, KITH_DATA_DIRR: 'x' });
    expect({ code, organizations: json['organizations'] }).toEqual({ code: 0, organizations: expect.any(Array) });
    expect(stderr).toContain('KITH_DATA_DIRR');
  });
});
