import { describe, expect, it } from 'vitest';
import { kith, kithJson } from './in-process.ts';

/** A database that nobody can reach: these commands must not ask for one. */
const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

describe('help', () => {
  const asks = [
    [],
    ['--help'],
    ['-h'],
    ['help'],
    ['org', '--help'],
    ['help', 'org'],
    ['org', 'create', '-h'],
    ['import', '--help'],
    ['serve', '-h'],
    ['doctor', '-h'],
    ['help', 'keys'],
    ['completion', '--help'],
  ];
  for (const args of asks) {
    it(`kith ${args.join(' ')}: examples first, 80 columns`, async () => {
      const { code, stdout, stderr } = await kith(args, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Examples:\n {2}kith /);
      expect(stdout).toContain('Usage: kith');
      expect(stdout).toContain('--json');
      const options = stdout.slice(stdout.indexOf('Usage:')).split('\n');
      expect(options.filter((line) => line.length > 80)).toEqual([]);
    });
  }

  it('kith help names every command', async () => {
    const { stdout } = await kith(['help'], env);
    for (const name of [
      'serve',
      'migrate',
      'doctor',
      'config',
      'keys',
      'org',
      'user',
      'token',
      'datasource',
      'import',
      'export',
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${name}[ |]`, 'm'));
  });
});

it('a noun without its verb lists its verbs', async () => {
  expect(await kith(['role'], env)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: a command is missing\n  kith role list  list the roles, and how many users have each\n',
  });
  const { stderr } = await kith(['record'], env);
  const verbs = [...stderr.matchAll(/^ {2}kith record (\w+) +\w.*$/gm)].map(([, verb]) => verb);
  expect(verbs).toEqual(['list', 'get', 'create', 'update', 'delete']);
});

it.each(['--version', '-V', '-v', 'version'])('kith %s', async (way) => {
  const { stdout } = await kith([way], env);
  expect(stdout).toMatch(/^kith 0\.1\.0 \(node \d+\.\d+\.\d+, postgres 18\.\d+\)\n$/);
  expect(stdout).toContain(`node ${process.versions.node}`);
});

describe('wrong usage ends with 2', () => {
  const scenarios: [args: string[], message: string][] = [
    [['docter'], "unknown command 'docter' (Did you mean doctor?)"],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
    [['orgs'], "unknown command 'orgs' (Did you mean org?)"],
    [['org', 'lst'], "unknown command 'lst' (Did you mean list?)"],
    [['org', 'list', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
    [['org', 'create', '--name', 'A'], "required option '--admin-name <name>' not specified"],
    [['org', 'list', 'more'], "too many arguments for 'list'. Expected 0 arguments but got 1: more."],
    [['org'], 'A command is missing: kith org has create, move, rename, delete, list'],
    [['trash'], 'A command is missing: kith trash has purge'],
    [['user', 'update', '--org', 'x', '--email', 'y', '--active', 'maybe'], 'Allowed choices are true, false.'],
    [['serve', '--port', '65536'], 'It has to be a number from 0 to 65535.'],
    [['serve', '--port', 'web'], 'It has to be a number from 0 to 65535.'],
    [['serve', '--demo', 'yes'], 'Allowed choices are on, off.'],
    [['serve', '8080'], "too many arguments for 'serve'. Expected 0 arguments but got 1: 8080."],
    [
      ['import', '--org', 'x', '--object', 'y', '--file', 'z', '--format', 'xml'],
      'Allowed choices are csv, json, vcard.',
    ],
    [['import', '--org', 'x', '--object', 'y', '--file', 'z', '--map', 'name'], 'It has to look like COLUMN=field.'],
  ];
  for (const [args, message] of scenarios) {
    it(`kith ${args.join(' ')}`, async () => {
      const plain = await kith(args, env);
      expect(plain).toMatchObject({ code: 2, stdout: '' });
      expect(plain.stderr).not.toBe('');
      const { code, json, stderr } = await kithJson(args, env);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: message.startsWith('A command is missing') ? expect.any(String) : '',
      });
      expect(json).toEqual({ code: 'VALIDATION_ERROR', message: expect.stringContaining(message) });
    });
  }

  it('npm start with an option that npm keeps for itself', async () => {
    const byNpm = await kith(['serve', '8080'], { ...env, npm_lifecycle_event: 'start' });
    expect(byNpm.stderr).toMatch(/got 1: 8080\.\nBehind npm start, options come after --: npm start -- --port 8080\n$/);
    expect((await kith(['serve', '8080'], env)).stderr).not.toContain('npm');
  });

  it('a setting that cannot be used', async () => {
    const { code, json } = await kithJson(['org', 'list'], { ...env, PORT: 'http' });
    expect({ code, json }).toEqual({
      code: 2,
      json: { code: 'VALIDATION_ERROR', message: expect.stringContaining('PORT') },
    });
  });
});

it('a database that cannot be reached ends with 69', async () => {
  const { code, json } = await kithJson(['org', 'list'], { ...env, KITH_SECRET_KEY: 'some secret'.padEnd(32, '.') });
  expect({ code, json }).toEqual({ code: 69, json: { code: 'UNAVAILABLE', message: expect.any(String) } });
  const plain = await kith(['org', 'list'], { ...env, KITH_SECRET_KEY: 'some secret'.padEnd(32, '.') });
  expect(plain).toMatchObject({ code: 69, stdout: '', stderr: expect.stringMatching(/^error: .+\n$/) });
});
