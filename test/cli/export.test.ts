/** `kith export`: everything that an object has, however much it is. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { sheetOf } from '../records/xlsx-files.ts';
import { kith, kithJson } from './in-process.ts';
import { start } from './kith.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

let place: Workplace;
let files = 0;

const count = 10_003;

beforeAll(async () => {
  place = await openWorkplace();
  const rows = Array.from({ length: count }, (_, at) => `"N, ${at}"`);
  await kithJson(of('contacts', 'import', '--file', '-'), place.env, `first_name\n${rows.join('\n')}\n`);
}, 60_000);
afterAll(() => place.close());

function of(object: string, command: string, ...more: readonly string[]): string[] {
  return [command, '--org', place.org, '--object', object, ...more];
}

function newPath(ending: string): string {
  return join(place.directory, `out${++files}.${ending}`);
}

describe('kith export', () => {
  it('prints all records as CSV, beyond the limits of REST', async () => {
    const { code, stdout, stderr } = await kith(of('contacts', 'export'), place.env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\r\n');
    expect(lines).toHaveLength(1 + count + 1);
    expect(new Set(lines.slice(1, -1).map((line) => /"N, \d+"/.exec(line)?.[0])).size).toBe(count);
  });

  it.each(['csv', 'ndjson', 'json'])(
    'writes a file of its owner alone that kith import takes: %s',
    async (ending) => {
      const file = newPath(ending);
      const { code, json, stderr } = await kithJson(of('contacts', 'export', '--file', file), place.env);
      expect({ code, json, stderr }).toEqual({
        code: 0,
        json: { object: 'contacts', format: ending, records: count, file },
        stderr: '',
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const other = await kithJson(
        ['org', 'create', '--name', 'Other', '--admin-name', 'Ada', '--admin-email', `${ending}@acme.test`],
        place.env,
      );
      const into = ['import', '--org', String(other.json['organizationId']), '--object', 'contacts', '--file', file];
      expect((await kithJson(into, place.env)).json).toMatchObject({ created: count, failed: 0 });
    },
    60_000,
  );

  it('writes a spreadsheet, told by the ending, of all records', async () => {
    const file = newPath('xlsx');
    const { code, json } = await kithJson(of('contacts', 'export', '--file', file), place.env);
    expect({ code, json }).toMatchObject({ code: 0, json: { format: 'xlsx', records: count } });
    const [head = [], ...rows] = sheetOf(readFileSync(file));
    const names = rows.map((row) => row[head.indexOf('first_name')]);
    expect(new Set(names)).toEqual(new Set(Array.from({ length: count }, (_, at) => `N, ${at}`)));
  });

  it('the JSON form is that of REST', async () => {
    const { stdout } = await kith(of('companies', 'export', '--format', 'json'), place.env);
    expect(stdout).toBe('{"format":"json","records":[],"total":0}');
  });

  it('never writes over a file unless it is told to, and leaves nothing behind', async () => {
    const file = newPath('csv');
    writeFileSync(file, 'precious');
    const before = readdirSync(place.directory);
    const { code, json } = await kithJson(of('companies', 'export', '--file', file), place.env);
    expect({ code, json }).toEqual({
      code: 5,
      json: { code: 'CONFLICT', message: `The file ${JSON.stringify(file)} is there already: --force writes over it` },
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect((await kith(of('companies', 'export', '--file', file, '--force'), place.env)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^id,name,/);
    expect(readdirSync(place.directory)).toEqual(before);
  });

  it.each<[string, () => string[], number]>([
    ['an unknown object', () => of('nothing', 'export', '--file', newPath('csv')), 3],
    [
      'an unknown organization',
      () => ['export', '--org', 'nobody', '--object', 'contacts', '--file', newPath('csv')],
      3,
    ],
    ['an unknown format', () => of('contacts', 'export', '--format', 'xls'), 2],
    ['one document without a place for the records', () => of('contacts', 'export'), 2],
  ])('%s ends with its own exit code', async (_name, args, expected) => {
    const { code, json } = await kithJson(args(), place.env);
    expect(code, JSON.stringify(json)).toBe(expected);
    expect(readdirSync(place.directory).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

it.each([
  ['kith export --file', () => of('contacts', 'export', '--file')],
  ['kith backup --file', () => ['backup', '--org', place.org, '--file']],
  ['kith types --out', () => ['types', '--org', place.org, '--out']],
  ['kith import --errors-out', () => of('contacts', 'import', '--file', '-', '--errors-out')],
])('%s names the file that was asked for where there is no folder for it', async (_name, args) => {
  const folder = join(place.directory, 'no');
  const file = join(folder, 'x.csv');
  const { code, json } = await kithJson([...args(), file], place.env, 'first_name\nNobody\n');
  expect([code, json]).toEqual([
    3,
    { code: 'NOT_FOUND', message: `"${file}" cannot be written: there is no folder "${folder}"` },
  ]);
  const { stdout } = await kith(['record', 'list', 'contacts', '--org', place.org, '--search', 'Nobody'], place.env);
  expect(stdout).not.toContain('Nobody');
});

describe('of 144 MB', () => {
  beforeAll(async () => {
    const names = Array.from({ length: 120 }, (_, at) => `Large ${at}\n`).join('');
    await kith(of('companies', 'import', '--file', '-'), place.env, `name\n${names}`);
    const large = sql`update ${identifier(place.schema, 'companies')} set description = repeat('large ', 200000)`;
    await place.rows(large);
  }, 60_000);

  it('takes as much memory as a few records', async () => {
    const file = newPath('ndjson');
    const little = { ...place.env, NODE_OPTIONS: '--max-old-space-size=96' };
    const { code, stderr } = await kith(of('companies', 'export', '--file', file), little);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(statSync(file).size).toBeGreaterThan(120 * 1_200_000);
    rmSync(file);
  }, 120_000);

  it('is not written as a spreadsheet, whose cells take less', async () => {
    const before = readdirSync(place.directory);
    const { code, json } = await kithJson(of('companies', 'export', '--file', newPath('xlsx')), place.env);
    expect({ code, json }).toMatchObject({
      code: 2,
      json: { message: expect.stringMatching(/^description of .* has 1,200,000 characters, and a cell/) },
    });
    expect(readdirSync(place.directory)).toEqual(before);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const file = newPath('ndjson');
    const before = readdirSync(place.directory);
    const { process: child, outcome } = start(of('companies', 'export', '--file', file), place.env);
    await vi.waitUntil(() => readdirSync(place.directory).some((name) => name.endsWith('.part')), { timeout: 30_000 });
    child.kill('SIGINT');
    expect((await outcome).code).toBe(130);
    expect(readdirSync(place.directory)).toEqual(before);
  }, 60_000);
});
