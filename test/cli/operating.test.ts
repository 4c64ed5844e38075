/** The commands of whoever runs an installation: doctor, config, migrate --status, keys rotate, completion. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { settings } from '../../src/settings.ts';
import { exitCodeOf, exitCodes } from '../../src/cli/exit-codes.ts';
import { errors, KithError, type ErrorCode } from '../../src/errors.ts';
import { allMigrations, latestVersion } from '../../src/provision/migrations.ts';
import { sql } from '../../src/postgres/sql.ts';
import { rowsOf } from '../provision/setup.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { kith, kithJson } from './in-process.ts';
import { launcher } from './kith.ts';

// Most tests start several processes.
vi.setConfig({ testTimeout: 120_000 });

let test: TestDatabase;
let directory: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  test = await testDatabase();
  directory = mkdtempSync(join(tmpdir(), 'kith-operating-'));
  env = { DATABASE_URL: test.url, KITH_DATA_DIR: directory };
});
afterAll(async () => {
  await test.drop();
  rmSync(directory, { recursive: true });
});

const secretOf = (name: string) => name.padEnd(32, '-');
const away = { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/none', KITH_SECRET_KEY: secretOf('hunter1') };

describe('before anything is there', () => {
  it('kith migrate --status says so, and makes nothing', async () => {
    const { code, json } = await kithJson(['migrate', '--status'], env);
    const [status] = json['schemas'] as { state: string; version: number; pending: string[] }[];
    expect([code, status]).toEqual([
      1,
      { schema: 'kith', version: 0, latest: expect.any(Number), state: 'behind', pending: expect.any(Array) },
    ]);
    expect(status?.pending).toEqual(allMigrations.control.map(({ name }) => name));
    expect(await rowsOf(test.database, sql`select from pg_namespace where nspname = 'kith'`)).toEqual([]);
  });

  it('kith doctor says what to do', async () => {
    const { code, stdout } = await kith(['doctor'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAILED {2}migrations +kith lacks directory, .*: kith migrate$/m);
  });
});

describe('with an organization', () => {
  let org: string;
  let token: string;
  beforeAll(async () => {
    const args = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
    const { json } = await kithJson(args, env);
    [org, token] = [String(json['organizationId']), String(json['token'])];
  });

  it('kith doctor finds nothing', async () => {
    const { code, json } = await kithJson(['doctor'], env);
    expect([code, json['ok']], JSON.stringify(json)).toEqual([0, true]);
    for (const check of json['checks'] as object[])
      expect(check).toEqual({ name: expect.any(String), ok: true, detail: expect.stringMatching(/./) });
  });

  it('kith doctor finds nothing in what manifests have renamed, retyped and removed', async () => {
    const apply = (manifest: object) =>
      kithJson(['apply', '--org', org, '--file', '-', '--allow-destroy'], env, JSON.stringify(manifest));
    const example = readFileSync(new URL('../../examples/projects.json', import.meta.url), 'utf8');
    const contacts = (...fields: object[]) => ({ name: 'contacts', fields });
    const manifests = [
      JSON.parse(example) as object,
      {
        objects: [
          {
            name: 'jobs',
            renamedFrom: 'projects',
            fields: [{ name: 'team', renamedFrom: 'members', type: 'MANY_TO_MANY' }],
          },
          contacts(
            { name: 'job_title', type: 'LONG_TEXT' },
            { name: 'mail', type: 'EMAILS', label: 'Mail', isUnique: true },
            { name: 'ref', type: 'TEXT', label: 'Ref', isUnique: true },
            { name: 'birthday', absent: true },
          ),
        ],
      },
      {
        objects: [
          contacts({ name: 'ref', type: 'SELECT', isUnique: false, options: [{ value: 'a', label: 'A' }] }),
          { name: 'jobs', fields: [{ name: 'team', absent: true }] },
        ],
      },
    ];
    for (const manifest of manifests) {
      const applied = await apply(manifest);
      expect(applied.code, JSON.stringify(applied.json)).toBe(0);
    }
    expect((await kithJson(['doctor'], env)).json).toMatchObject({ ok: true });
  });

  it('kith doctor --repair does what can be done', async () => {
    const schema = `org_${org.replaceAll('-', '')}`;
    await test.database.transaction('test', (tx) => tx.script(`drop index ${schema}._history_change_set_idx`));
    expect((await kith(['doctor'], env)).stdout).toContain('kith doctor --repair');
    expect((await kithJson(['doctor', '--repair'], env)).json).toMatchObject({ ok: true });
  });

  it('kith migrate --status has a line for each schema', async () => {
    const { code, stdout } = await kith(['migrate', '--status'], env);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t')[3])).toEqual([
      'state',
      'up to date',
      'up to date',
      undefined,
    ]);
  });

  it('kith keys rotate seals anew what an earlier secret has sealed, and tokens go on', async () => {
    const old = readFileSync(join(directory, 'secret'), 'utf8').trim();
    const url = test.url;
    const add = await kithJson(['datasource', 'add', '--name', 'second', '--url', '-'], env, url);
    expect(add.code).toBe(0);
    const both = { ...env, KITH_SECRET_KEY: secretOf('new'), KITH_SECRET_KEYS_OLD: `${secretOf('unrelated')},${old}` };
    const rotated = await kithJson(['keys', 'rotate'], both);
    expect(rotated).toMatchObject({ code: 0, json: { keyId: expect.stringMatching(/^[\w-]{8}$/), reencrypted: 2 } });
    expect(Object.keys(rotated.json)).toEqual(['keyId', 'reencrypted']);
    expect((await kithJson(['keys', 'rotate'], both)).json).toEqual({ keyId: rotated.json['keyId'], reencrypted: 0 });
    const alone = { ...env, KITH_SECRET_KEY: secretOf('new') };
    expect((await kithJson(['doctor'], alone)).json, 'with the new secret alone').toMatchObject({ ok: true });

    const lost = await kithJson(['keys', 'rotate'], { ...env, KITH_SECRET_KEY: secretOf('third') });
    expect([lost.code, lost.json['code'], lost.json['reencrypted']]).toEqual([1, 'WRITE_FAILED', 0]);
    expect(lost.json['message']).toMatch(/datasource second \(No secret opens .*organization /);
    expect(JSON.stringify(lost.json)).not.toContain(url);
    expect(token).toMatch(/^svc_/);
  });

  it('a database of a newer release is refused with one sentence and 1, and doctor says the same', async () => {
    const newer = latestVersion(allMigrations.control) + 2;
    const insert = sql`insert into kith.migrations (version, name, applied_at) values (${newer}::int, 'later', now())`;
    await rowsOf(test.database, insert);
    for (const args of [['org', 'list'], ['migrate'], ['serve']]) {
      const { code, stdout, stderr } = await kith(args, { ...env, PORT: '0' });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error: This database was made by a newer Kith \(its version is \d+, .*\): start the newer program\n$/,
      );
    }
    const { json } = await kithJson(['migrate', '--status'], env);
    expect(json['schemas']).toContainEqual(
      expect.objectContaining({ schema: 'kith', version: newer, state: 'too new' }),
    );
    expect((await kith(['doctor'], env)).stdout).toMatch(/^FAILED {2}migrations .*newer Kith/m);
    await rowsOf(test.database, sql`delete from kith.migrations where version = ${newer}::int`);
  });
});

it('kith doctor without a database tells why, with 1', async () => {
  const { code, json } = await kithJson(['doctor'], away);
  expect(code).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    checks: [{ name: 'database', ok: false }, { name: 'keys' }, { name: 'store' }],
  });
  expect(JSON.stringify(json)).not.toContain('hunter2');
});

describe('kith config', () => {
  async function shown(given: NodeJS.ProcessEnv) {
    const { code, json } = await kithJson(['config'], given);
    expect(code).toBe(0);
    const rows = json['settings'] as { name: string; value: string | null; source: string }[];
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(settings));
    return (name: string) => {
      const row = rows.find((each) => each.name === name);
      return [row?.value, row?.source];
    };
  }

  it('names the source of each value, and masks secrets', async () => {
    const secret = join(directory, 'key.txt');
    writeFileSync(secret, `${secretOf('hunter3')}\n`);
    const given = {
      ...away,
      KITH_SECRET_KEY: '',
      KITH_SECRET_KEY_FILE: secret,
      KITH_SECRET_KEYS_OLD: `${secretOf('hunter4')},${secretOf('hunter5')}`,
      HOST: ' ',
      KITH_ORG: 'Acme',
      KITH_URL: 'http://127.0.0.1:3000',
      KITH_TOKEN: 'svc_hunter6',
    };
    const { stdout } = await kith(['config'], given);
    expect(stdout).not.toMatch(/hunter/);
    const of = await shown(given);
    expect(of('DATABASE_URL')).toEqual(['postgres://ada:***@127.0.0.1:1/none', 'environment']);
    expect(of('KITH_SECRET_KEY')).toEqual(['***', 'file']);
    expect(of('KITH_SECRET_KEY_FILE')).toEqual([secret, 'environment']);
    expect(of('KITH_SECRET_KEYS_OLD')).toEqual(['***', 'environment']);
    expect(of('HOST')).toEqual(['127.0.0.1', 'default']);
    expect(of('KITH_ORG')).toEqual(['Acme', 'environment']);
    expect(of('KITH_URL')).toEqual(['http://127.0.0.1:3000', 'environment']);
    expect(of('KITH_TOKEN')).toEqual(['***', 'environment']);
    expect(of('KITH_DEMO')).toEqual(['off', 'default']);
    expect(of('DATABASE_URL_FILE')).toEqual([null, 'default']);
  });

  it('asks for no database, and refuses a value that cannot be', async () => {
    const { code, stderr } = await kith(['config'], { ...away, PORT: 'http' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PORT must be a number') });
  });
});

describe('kith completion', () => {
  const run = promisify(execFile);

  async function completed(script: string, words: readonly string[], given: NodeJS.ProcessEnv = process.env) {
    const line = words.map((each) => `'${each}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _kith; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['--norc', '-c', `${script}\n${ask}`], { env: given });
    return stdout.split('\n').slice(0, -1);
  }

  it.each([
    ['kith ', 'doctor'],
    ['kith token re', 'revoke'],
    ['kith org create --cur', '--currency'],
    ['kith serve --po', '--port'],
    ['kith --json doctor --re', '--repair'],
    ['kith user update --org 1 --a', '--active'],
  ])('in bash, %j gives %s', async (line, word) => {
    const { stdout: script } = await kith(['completion', 'bash'], away);
    const words = await completed(script, line.split(' '));
    expect(words).toContain(word);
    expect(words).not.toContain('undefined');
  });

  it('has the values of flags and arguments that have a few', async () => {
    const { stdout: script } = await kith(['completion', 'bash'], away);
    expect(await completed(script, ['kith', 'pull', '--format', ''])).toEqual(['json', 'yaml']);
    expect(await completed(script, ['kith', 'completion', 'f'])).toEqual(['fish']);
  });

  it('asks for names of what is there', async () => {
    const names = mkdtempSync(join(tmpdir(), 'kith-names-'));
    const named = { ...env, KITH_LOG_LEVEL: 'silent' };
    const args = ['org', 'create', '--name', 'Acme & Sons', '--admin-name', 'Ada', '--admin-email', 'ada@sons.test'];
    expect((await kith(args, named)).code).toBe(0);
    const { stdout: script } = await kith(['completion', 'bash'], away);
    // The command as a shell would find it.
    writeFileSync(join(names, 'kith'), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`, { mode: 0o755 });
    const asked = { ...named, PATH: `${names}:${process.env['PATH']}` };
    expect(await completed(script, ['kith', 'pull', '--org', ''], asked)).toContain('Acme\\ \\&\\ Sons');
    const sons = ['--org', 'Acme\\ \\&\\ Sons'];
    expect(await completed(script, ['kith', 'export', ...sons, '--object', 'co'], asked)).toEqual([
      'contacts',
      'companies',
    ]);
    expect(await completed(script, ['kith', 'record', ...sons, 'get', 'opp'], asked)).toEqual(['opportunities']);
    expect(await completed(script, ['kith', 'user', 'create', ...sons, '--role', ''], asked)).toEqual([
      'Admin',
      'Member',
      'Viewer',
    ]);
    expect(await completed(script, ['kith', 'org', 'move', '--datasource', ''], asked)).toContain('main');
    rmSync(names, { recursive: true });
  });

  it('starts no database for them, and says nothing where none answers', async () => {
    const empty = join(directory, 'empty');
    for (const given of [away, { KITH_DATA_DIR: empty }])
      expect(await kith(['complete', 'organizations'], given)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(empty)).toBe(false);
  });

  it('knows three shells', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await kith(['completion', shell], away);
      expect([code, stdout.includes('doctor')]).toEqual([0, true]);
    }
    expect((await kith(['completion', 'tcsh'], away)).code).toBe(2);
  });
});

it('has an exit code for every error', () => {
  const expected: Record<ErrorCode, number> = {
    VALIDATION_ERROR: 2,
    MISSING_REQUIRED_FIELD: 2,
    MISSING_REQUIRED_FIELDS: 2,
    INVALID_OPERATION: 2,
    INVALID_ARGUMENT: 2,
    INVALID_CHANNEL: 2,
    CONFIRM_REQUIRED: 2,
    AMBIGUOUS_SENDER: 2,
    NOT_FOUND: 3,
    RECORD_NOT_FOUND: 3,
    INVALID_OBJECT: 3,
    INVALID_FIELD: 3,
    NO_ACCOUNT: 3,
    SEND_NOT_ENABLED: 4,
    SEND_FAILED: 1,
    SEND_UNKNOWN: 1,
    CONFIRM_INVALID: 5,
    CONFIRM_MISMATCH: 5,
    PERMISSION_DENIED: 4,
    UNAUTHORIZED: 4,
    DUPLICATE_RECORD: 5,
    CONFLICT: 5,
    STALE: 5,
    DESTRUCTIVE_CHANGE: 5,
    UNAVAILABLE: 69,
    INTERNAL_ERROR: 1,
    NOT_SUPPORTED: 1,
    WRITE_FAILED: 1,
    MERGE_FAILED: 1,
    RATE_LIMITED: 1,
  };
  const codes = Object.keys(expected) as ErrorCode[];
  expect(Object.fromEntries(codes.map((code) => [code, exitCodeOf(new KithError(code, ''))]))).toEqual(expected);
  expect([exitCodeOf(new Error('x')), exitCodeOf(errors.notFound('x')), exitCodes.interrupted]).toEqual([1, 3, 130]);
  const documented = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  for (const code of [0, ...Object.values(exitCodes)]) expect(documented).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
});
