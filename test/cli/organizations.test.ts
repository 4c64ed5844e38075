/** `kith org rename`, `kith org delete`, `kith user list` and `kith role list`. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, serve, type ServiceProcess } from '../faults/service.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';
import { kith, kithJson } from './in-process.ts';
import { ctrlC, onTerminal } from './terminal.ts';

// Most tests start several processes.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let directory: string;
let env: NodeJS.ProcessEnv;
let service: ServiceProcess;
let id: string;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  directory = mkdtempSync(join(tmpdir(), 'kith-organizations-'));
  env = { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'silent' };
  await make('Kept');
  service = await serve(env);
}, 120_000);
afterAll(async () => {
  service.kill('SIGTERM');
  await service.outcome;
  await database.drop();
  rmSync(directory, { recursive: true });
});

async function make(name: string): Promise<void> {
  const args = ['org', 'create', '--name', name, '--admin-name', 'Ada', '--admin-email', 'ada@kith.test'];
  const { json } = await kithJson(args, env);
  [id, token] = [String(json['organizationId']), String(json['token'])];
}

async function names(): Promise<string[]> {
  const { json } = await kithJson(['org', 'list'], env);
  return (json['organizations'] as unknown as { name: string }[]).map(({ name }) => name);
}

async function schemas(): Promise<number> {
  const { rows } = await database.database.run('test', {
    text: `select count(*) from pg_namespace where nspname = $1`,
    values: [`org_${id.replaceAll('-', '')}`],
  });
  return Number(rows[0]?.[0]);
}

const deletion = (...more: readonly string[]) => ['org', 'delete', '--org', id, ...more];

describe('kith user list and kith role list', () => {
  it('tell who is there, with what role', async () => {
    const user = ['user', 'create', '--org', 'Kept', '--name', 'Vi', '--email', 'vi@kith.test', '--role', 'Viewer'];
    expect((await kith([...user, '--inactive'], env)).code).toBe(0);
    const { json } = await kithJson(['user', 'list', '--org', 'Kept'], env);
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(json).toEqual({
      users: [
        { id: uuid, name: 'Ada', email: 'ada@kith.test', role: 'Admin', is_active: true },
        { id: uuid, name: 'Vi', email: 'vi@kith.test', role: 'Viewer', is_active: false },
      ],
    });
    const roles = await kith(['role', 'list', '--org', 'Kept'], env);
    expect(roles.stdout.replaceAll(/[0-9a-f-]{36}/g, 'ID')).toBe(
      'id\tname\tis_admin\tusers\nID\tAdmin\ttrue\t1\nID\tMember\tfalse\t0\nID\tViewer\tfalse\t1\n',
    );
  });
});

describe('kith org rename', () => {
  it('gives the name that all commands know from then on', async () => {
    await make('Before');
    const { code, json } = await kithJson(['org', 'rename', '--org', 'Before', '--name', 'After'], env);
    expect({ code, json }).toEqual({ code: 0, json: { organizationId: id, name: 'After' } });
    expect(await names()).toEqual(['Kept', 'After']);
    const refused = await kithJson(['org', 'rename', '--org', 'After', '--name', ' '], env);
    expect(refused).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR' } });
    expect((await kith(deletion('--confirm', 'After'), env)).code).toBe(0);
  });
});

describe('kith org delete', () => {
  beforeEach(() => make('Gone'));

  it('leaves nothing, and its tokens open nothing, while the service runs', async () => {
    expect((await ask(service.url, token, 'GET', '/api/v1/records/contacts'))?.status).toBe(200);
    const { code, json } = await kithJson(deletion('--confirm', 'Gone'), env);
    expect({ code, json }).toEqual({ code: 0, json: { organizationId: id, name: 'Gone', deleted: true } });
    expect(await ask(service.url, token, 'GET', '/api/v1/records/contacts')).toMatchObject({
      status: 401,
      json: { code: 'UNAUTHORIZED' },
    });
    expect(await names()).toEqual(['Kept']);
    expect(await schemas()).toBe(0);
    expect((await kithJson(['doctor'], env)).json['ok']).toBe(true);
    expect((await kithJson(deletion('--confirm', 'Gone'), env)).code).toBe(3);
  });

  it('wants its name', async () => {
    const refused = async (...more: readonly string[]) => {
      const { code, json } = await kithJson(deletion(...more), env);
      return [code, json['message']];
    };
    expect(await refused()).toEqual([2, 'Nothing is deleted without the name of the organization: --confirm "Gone"']);
    expect(await refused('--confirm', 'gone')).toEqual([2, 'Nothing was deleted: the organization is called "Gone"']);
    expect(await refused('--confirm', 'Gone', '--passphrase-file', 'x')).toEqual([
      2,
      expect.stringMatching(/--export/),
    ]);
    expect(await names()).toEqual(['Kept', 'Gone']);
    expect((await kith(deletion('--confirm', 'Gone'), env)).code).toBe(0);
  });

  it('takes a backup first, and deletes nothing without it', async () => {
    const file = join(directory, 'gone.kith');
    const args = deletion('--confirm', 'Gone', '--export', file);
    writeFileSync(file, 'mine');
    expect(await kithJson(args, env)).toMatchObject({ code: 5, json: { code: 'CONFLICT' } });
    expect(await names()).toEqual(['Kept', 'Gone']);
    rmSync(file);
    const { code, json } = await kithJson(args, env);
    expect({ code, json }).toMatchObject({ code: 0, json: { deleted: true, file } });
    expect(readdirSync(directory)).toEqual(['gone.kith']);
    expect((await kith(['restore', '--file', file], env)).code).toBe(0);
    expect(await names()).toEqual(['Kept', 'Gone']);
    expect(existsSync(file)).toBe(true);
    expect((await kith(deletion('--confirm', 'Gone'), env)).code).toBe(0);
  });

  it('is ended by the doctor where it was broken off', async () => {
    // So it stands when the process is killed after nobody finds it, and before its data is gone.
    await database.database.run('test', {
      text: `update kith.organizations set state = 'provisioning', created_at = created_at - interval '2 hours' where id = $1`,
      values: [id],
    });
    expect(await names()).toEqual(['Kept']);
    const { stdout } = await kith(['doctor'], env);
    expect(stdout).toContain(`${id} (Gone) was begun and never finished, or its deletion was broken off`);
    expect((await kith(['doctor', '--repair'], env)).code).toBe(0);
    expect(await schemas()).toBe(0);
  });

  it('asks for its name on a terminal', async () => {
    const typing = async (text: string) => {
      const terminal = onTerminal(deletion(), env);
      await terminal.until('Type its name: ');
      terminal.type(text);
      return { code: await terminal.ended, shown: terminal.shown() };
    };
    expect(await typing('Gon\n')).toEqual({
      code: 2,
      shown: expect.stringContaining('error: Nothing was deleted: the organization is called "Gone"\n'),
    });
    expect((await typing('\u0004')).code).toBe(2);
    expect((await typing(ctrlC)).code).toBe(130);
    expect(await names()).toEqual(['Kept', 'Gone']);
    expect(await typing('Gone\n')).toMatchObject({ code: 0, shown: expect.stringMatching(/deleted +true\n$/) });
    expect(await names()).toEqual(['Kept']);
  });
});

it('a list is a table on a terminal, cut to its width', async () => {
  const showing = async (columns: number) => {
    const terminal = onTerminal(['user', 'list', '--org', 'Kept'], env, columns);
    expect(await terminal.ended).toBe(0);
    return terminal.shown();
  };
  const wide = await showing(120);
  expect(wide).toMatch(/^id {36}name {2}email +role +is_active\n/);
  expect(wide).toMatch(/^\S{36} {2}Ada {3}ada@kith\.test {2}Admin {3}true$/m);
  expect(await showing(55)).toMatch(/^id {36}name {2}email\n\S{36} {2}Ada {3}ada@kith\.t…$/m);
});

it('a second organization of the same name is made with a note', async () => {
  const create = (name: string) =>
    kith(['org', 'create', '--name', name, '--admin-name', 'Ada', '--admin-email', 'ada@kith.test'], env);
  expect((await create('Twice')).stderr).toBe('');
  expect(await create(' Twice ')).toMatchObject({
    code: 0,
    stderr: 'Another organization was made with the name "Twice": commands take the id as well\n',
  });
});
