/** `kith plan`, `apply` and `pull`. [contract: Command line, Workspace manifest] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSecret } from '../support/engine.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { example } from '../manifest/example.ts';
import { kith, kithJson } from './in-process.ts';

let database: TestDatabase;
let env: NodeJS.ProcessEnv;
let org: string;
beforeAll(async () => {
  database = await testDatabase();
  env = { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'silent' };
  const create = ['org', 'create', '--name', 'A', '--admin-name', 'Ada', '--admin-email', 'ada@kith.test'];
  org = String((await kithJson(create, env)).json['organizationId']);
}, 60_000);
afterAll(() => database.drop());

const withFile = (command: string, ...more: readonly string[]) => [command, '--org', org, '--file', '-', ...more];

describe('a manifest on the command line', () => {
  it('is planned, applied once, and pulled in both forms', async () => {
    const text = JSON.stringify(example);
    const planned = await kithJson(withFile('plan'), env, text);
    const changed = await kithJson(withFile('apply'), env, text);
    expect(changed.code).toBe(0);
    expect(changed.json).toEqual(planned.json);
    expect((await kithJson(withFile('apply'), env, text)).json).toEqual({ changes: [] });
    for (const format of ['json', 'yaml']) {
      const pulled = await kith(['pull', '--org', org, '--format', format], env);
      expect(pulled.code).toBe(0);
      expect((await kithJson(withFile('plan'), env, pulled.stdout)).json).toEqual({ changes: [] });
    }
    expect((await kithJson(['pull', '--org', org], env)).json).toHaveProperty('objects');
  }, 60_000);

  it('is shown as lines with signs, and their sum', async () => {
    const change = (...fields: object[]) => JSON.stringify({ objects: [{ name: 'contacts', fields }] });
    const first = change({ name: 'fax', label: 'Fax', type: 'TEXT' }, { name: 'pager', label: 'Pager', type: 'TEXT' });
    const planned = await kith(withFile('plan'), env, first);
    expect(planned).toEqual({
      code: 0,
      stdout: '+ field contacts.fax\n+ field contacts.pager\n2 to add, 0 to change, 0 to remove\n',
      stderr: '',
    });
    const applied = await kith(withFile('apply'), env, first);
    expect(applied.stdout).toBe('+ field contacts.fax\n+ field contacts.pager\n2 added, 0 changed, 0 removed\n');
    expect((await kith(withFile('apply'), env, first)).stdout).toBe('no changes\n');
    const rows = '{"first_name":"Ann","fax":"1"}\n';
    const imported = ['import', '--object', 'contacts', '--file', '-', '--format', 'json'];
    expect((await kith(imported, env, rows)).code).toBe(0);
    const second = change(
      { name: 'fax', absent: true },
      { name: 'beeper', renamedFrom: 'pager', label: 'Beeper' },
      { name: 'phone_home', label: 'Home', type: 'TEXT' },
    );
    expect((await kith(withFile('plan'), env, second)).stdout).toBe(
      [
        '~ field contacts.beeper: was pager',
        '~ field contacts.beeper: label',
        '+ field contacts.phone_home',
        '- field contacts.fax: 1 row loses a value',
        '1 to add, 2 to change, 1 to remove',
        '',
      ].join('\n'),
    );
    const removed = await kith(withFile('apply', '--allow-destroy'), env, second);
    expect(removed.stdout).toMatch(/\n1 added, 2 changed, 1 removed\n$/);
  }, 60_000);

  it('is refused with line and column', async () => {
    const text = 'objects:\n  - name: sites\n    fields:\n      - name: x\n        type: TEXTT\n';
    const { code, stderr } = await kith(withFile('apply'), env, text);
    expect(code).toBe(2);
    expect(stderr).toContain('5:9 objects[0].fields[0].type must be one of');
  });

  it('ends with 5 where data would be lost, and with 0 where that is allowed', async () => {
    const csv = 'name\nRoof\n';
    expect(
      (await kith(['import', '--org', org, '--object', 'companies', '--file', '-', '--format', 'csv'], env, csv)).code,
    ).toBe(0);
    const removal = JSON.stringify({
      objects: [{ name: 'companies', displayField: 'id', fields: [{ name: 'name', absent: true }] }],
    });
    const refused = await kithJson(withFile('apply'), env, removal);
    expect([refused.code, refused.json['code']]).toEqual([5, 'DESTRUCTIVE_CHANGE']);
    expect(refused.json['message']).toContain('1 row');
    expect((await kith(withFile('apply', '--allow-destroy'), env, removal)).code).toBe(0);
  });

  it('is not found, or not of an organization that is there', async () => {
    expect((await kith(['plan', '--org', org, '--file', '/nowhere/at/all'], env)).code).toBe(3);
    expect((await kith(['pull', '--org', 'none'], env)).code).toBe(3);
    expect((await kith(withFile('plan'), env, new Uint8Array([0xff]))).code).toBe(2);
  });
});
