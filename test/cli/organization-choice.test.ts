/** Which organization a command is about: named by name, by id or by KITH_ORG, or the only one there is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';
import { kith, kithJson } from './in-process.ts';

// Most tests start several processes.
vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let env: NodeJS.ProcessEnv;
const ids: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  env = { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'silent' };
});
afterAll(() => database.drop());

async function make(name: string): Promise<void> {
  const args = ['org', 'create', '--name', name, '--admin-name', 'Ada', '--admin-email', 'ada@kith.test'];
  const { code, json, stderr } = await kithJson(args, env);
  expect(code, stderr).toBe(0);
  ids.push(String(json['organizationId']));
}

/** The name of the organization that a command is about. */
async function meant(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const { code, json } = await kithJson(['pull', ...args], { ...env, ...more });
  expect(code, JSON.stringify(json)).toBe(0);
  return (json['organization'] as unknown as { name: string }).name;
}

async function refused(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { code, json } = await kithJson(['pull', ...args], { ...env, ...more });
  return { code, ...json };
}

describe('which organization is meant', () => {
  it('there is none', async () => {
    expect(await refused([])).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no organization yet: kith org create makes one',
    });
    expect((await kith(['pull'], env)).code).toBe(3);
  });

  it('there is one: it need not be named', async () => {
    await make('Acme');
    expect(await meant([])).toBe('Acme');
    expect(await meant(['--org', 'acme'])).toBe('Acme');
    expect(await meant(['--org', ids[0]!])).toBe('Acme');
    const user = await kithJson(['user', 'create', '--name', 'B', '--email', 'b@kith.test', '--role', 'Member'], env);
    expect(user.code, user.stderr).toBe(0);
    for (const command of [['token', 'list'], ['types'], ['trash', 'purge'], ['export', '--object', 'contacts']])
      expect((await kith(command, env)).code, command.join(' ')).toBe(0);
  });

  it('there are several: it is named, on the line or by KITH_ORG', async () => {
    await make('Globex');
    expect(await refused([])).toEqual({
      code: 'VALIDATION_ERROR',
      message: `--org is needed, since there are 2: "Acme" (${ids[0]}), "Globex" (${ids[1]})`,
    });
    expect((await kith(['pull'], env)).code).toBe(2);
    expect(await meant([], { KITH_ORG: 'globex' })).toBe('Globex');
    expect(await meant([], { KITH_ORG: ids[0]! })).toBe('Acme');
    expect(await meant(['--org', 'Globex'], { KITH_ORG: 'Acme' })).toBe('Globex');
  });

  it('the name is the one that it has now', async () => {
    const { code } = await kith(
      ['apply', '--org', 'Globex', '--file', '-'],
      env,
      JSON.stringify({ organization: { name: 'Initech' } }),
    );
    expect(code).toBe(0);
    expect(await meant(['--org', 'Initech'])).toBe('Initech');
    expect(await refused(['--org', 'Initec'])).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no organization "Initec" (did you mean "Initech"?)',
    });
    expect(await refused([], { KITH_ORG: 'Globex' })).toEqual({
      code: 'NOT_FOUND',
      message: `There is no organization "Globex"; there is: "Acme" (${ids[0]}), "Initech" (${ids[1]})`,
    });
  });

  it('two have the name: case decides, else the ids are told', async () => {
    await make('ACME');
    expect(await meant(['--org', 'ACME'])).toBe('ACME');
    expect(await refused(['--org', 'aCme'])).toEqual({
      code: 'VALIDATION_ERROR',
      message: `2 organizations are called so; give the id of one: "Acme" (${ids[0]}), "ACME" (${ids[2]})`,
    });
  });

  it('a backup is of all organizations unless the line names one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kith-choice-'));
    const given = { ...env, KITH_ORG: 'Acme' };
    const all = await kithJson(['backup', '--file', join(directory, 'all.kith')], given);
    expect(all.json['organizations']).toHaveLength(3);
    const one = await kithJson(['backup', '--org', 'Initech', '--file', join(directory, 'one.kith')], given);
    expect(one.json['organizations']).toEqual([expect.objectContaining({ id: ids[1] })]);
    const restored = (only: string) =>
      kithJson(['restore', '--file', join(directory, 'all.kith'), '--only', only, '--new-id'], given);
    expect((await restored('Initech')).json['organizations']).toEqual([expect.objectContaining({ name: 'Initech' })]);
    expect(await restored('Globex')).toMatchObject({ code: 3, json: { code: 'NOT_FOUND' } });
    const again = await kithJson(['backup', '--file', join(directory, 'again.kith')], given);
    expect(again.json['organizations']).toHaveLength(4);
    const file = ['restore', '--file', join(directory, 'again.kith'), '--only', 'Initech', '--new-id'];
    expect(await kithJson(file, given)).toMatchObject({
      code: 2,
      json: { message: expect.stringMatching(/^Several organizations of the backup are called so; .*: \S+, \S+$/) },
    });
    rmSync(directory, { recursive: true });
  });

  it('KITH_ORG may stand in .env', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kith-choice-'));
    writeFileSync(join(directory, '.env'), 'KITH_ORG=Acme\n', { mode: 0o600 });
    const { json } = await kithJson(['config'], { ...env, KITH_ORG: '' }, '', directory);
    expect(json['settings']).toContainEqual(
      expect.objectContaining({ name: 'KITH_ORG', value: 'Acme', source: '.env' }),
    );
    const pulled = await kithJson(['pull'], env, '', directory);
    expect(pulled.json['organization']).toMatchObject({ name: 'Acme' });
    rmSync(directory, { recursive: true });
  });
});
