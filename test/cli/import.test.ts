import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/lib/json.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { kith, kithJson } from './in-process.ts';
import { start } from './kith.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.close());

function args(object: string, file: string, ...more: readonly string[]): string[] {
  return ['import', '--org', place.org, '--object', object, '--file', file, ...more];
}

async function countOf(table: string): Promise<number> {
  const rows = await place.rows(sql`select count(*) from ${identifier(place.schema, table)}`);
  return Number(rows[0]?.[0]);
}

function ids(json: Record<string, Json>): readonly Json[] {
  const { created_ids: list } = json;
  if (!Array.isArray(list)) throw new Error(`No created_ids: ${JSON.stringify(json)}`);
  return list;
}

describe('kith import', () => {
  it('answers like the REST import, for the whole file, with what it read and ignored', async () => {
    const file = join(place.directory, 'companies.csv');
    writeFileSync(file, 'Name,Industry,Shoe size\nGlobex,software,3\n,software,3\nInitech,wizardry,3\n');
    const { code, json, stderr } = await kithJson(args('companies', file), place.env);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'industry has no option wizardry (1 row): --add-options\nIgnored columns: Shoe size\n',
    });
    expect(json).toEqual({
      object_name: 'companies',
      created: 1,
      created_ids: [expect.any(String)],
      duplicates: 0,
      failed: 2,
      errors: [
        { index: 1, error: expect.stringContaining('name') },
        { index: 2, error: expect.stringContaining('industry') },
      ],
      read: 3,
      ignored_columns: ['Shoe size'],
    });
  });

  it('names the columns that it ignores of a file without rows, too', async () => {
    const { json } = await kithJson(args('companies', '-'), place.env, 'name,Shoe size\n');
    expect(json).toMatchObject({ read: 0, created: 0, ignored_columns: ['Shoe size'] });
  });

  it('names the properties of vCards that no column has', async () => {
    const file = join(place.directory, 'told.vcf');
    writeFileSync(file, 'BEGIN:VCARD\r\nVERSION:4.0\r\nN:Told;Ada\r\nNICKNAME:Addie\r\nEND:VCARD\r\n');
    const { code, stderr } = await kith(args('contacts', file), place.env);
    const ignored = 'Ignored columns: Full name, Note, URL';
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Properties that no column has were left out: NICKNAME\n${ignored}\n`,
    });
  });

  it('tells people in lines, with rows counted from 1', async () => {
    const { code, stdout } = await kith(args('companies', '-', '--allow-errors'), place.env, 'name\nUmbrella\n"x"y"\n');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^read\t2\ncreated\t1\nduplicates\t0\nfailed\t1\nrow 2: a quote .*\n$/);
  });

  it('takes rows in many batches, in the order of the file, each once', async () => {
    const before = await countOf('contacts');
    const rows = Array.from({ length: 2500 }, (_, at) => (at === 1500 ? 'bad,not-an-address' : `P${at},p${at}@x.test`));
    const { json } = await kithJson(args('contacts', '-'), place.env, `first_name,email\n${rows.join('\n')}\n`);
    expect(json).toMatchObject({ read: 2500, created: 2499, failed: 1, errors: [{ index: 1500 }] });
    expect(new Set(ids(json)).size).toBe(2499);
    expect(await countOf('contacts')).toBe(before + 2499);
    const last = sql`select first_name from ${identifier(place.schema, 'contacts')} where id = ${String(ids(json).at(-1))}::uuid`;
    expect(await place.rows(last)).toEqual([['P2499']]);
  });

  it('takes JSON lines from standard input, with numbers as they are written', async () => {
    const line =
      '{"name":"Big deal","amount":{"amount":12345678901234567.89,"currency":"EUR"},"created_at":"2020-01-01T00:00:00Z"}';
    const { code, json } = await kithJson(args('opportunities', '-', '--format', 'json'), place.env, `${line}\n`);
    expect({ code, created: json['created'], ignored: json['ignored_columns'] }).toEqual({
      code: 0,
      created: 1,
      ignored: ['created_at'],
    });
    const stored = sql`select amount from ${identifier(place.schema, 'opportunities')} where id = ${String(ids(json)[0])}::uuid`;
    expect(await place.rows(stored)).toEqual([['12345678901234567.89']]);
  });

  it.each([
    ['CSV', [], 'Name,pipeline\nBy its own name,Won\nNowhere,Wonn\n'],
    ['JSON', ['--format', 'json'], '{"name":"By its own name","pipeline":"Won"}\n{"name":"x","pipeline":"Wonn"}\n'],
  ])('takes the step under the name of the field, from %s', async (_format, more, text) => {
    const { json } = await kithJson(args('opportunities', '-', ...more), place.env, text);
    expect(json).toMatchObject({ created: 1, failed: 1, ignored_columns: [] });
    expect(json['errors']).toEqual([{ index: 1, error: expect.stringMatching(/^pipeline must be .*Won, Lost$/) }]);
    const rows = await place.rows(sql`select s.name from ${identifier(place.schema, 'opportunities')} o
        join ${identifier(place.schema, '_pipeline_steps')} s on s.id = o.pipeline_step_id where o.id = ${String(ids(json)[0])}::uuid`);
    expect(rows).toEqual([['Won']]);
  });

  it('goes by --map', async () => {
    const { json } = await kithJson(
      args('companies', '-', '--map', 'Firm=name', '--map', 'Name='),
      place.env,
      'Firm,Name\nHooli,ignored\n',
    );
    expect(json).toMatchObject({ created: 1, ignored_columns: ['Name'] });
    const stored = sql`select name from ${identifier(place.schema, 'companies')} where id = ${String(ids(json)[0])}::uuid`;
    expect(await place.rows(stored)).toEqual([['Hooli']]);
  });

  it('records everything as one change set of an import, in the name of the admin', async () => {
    const { json } = await kithJson(args('companies', '-'), place.env, 'name\nVandelay\nPied Piper\n');
    const history = sql`select distinct h.means, u.email, h.token_id, count(*) over (partition by h.change_set)
      from ${identifier(place.schema, '_history')} h join ${identifier(place.schema, '_users')} u on u.id = h.actor_id
      where h.record_id = any(${ids(json).map(String)}::uuid[])`;
    expect(await place.rows(history)).toEqual([['import', 'ada@acme.test', null, '2']]);
  });

  it('CIR-14: matches, updates, makes what relations name, and tells equal errors in one line', async () => {
    const file = join(place.directory, 'people.csv');
    const rows = Array.from({ length: 100 }, (_, at) => `M${at},m${at}@x.test,Firm ${at % 50}`);
    writeFileSync(file, `First name,E-mail,Company\n${rows.join('\n')}\n`);
    const refused = await kith(args('contacts', file), place.env);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('100 rows: company_id names no record (50 names, for example "Firm 0")\n');
    const tried = await kithJson(args('contacts', file, '--create-missing', '--dry-run'), place.env);
    expect(tried.json).toMatchObject({ created: 100, created_ids: [], records_made: { companies: 50 } });
    expect(tried.stderr).toContain('E-mail     → emails\n');
    const made = await kithJson(args('contacts', file, '--create-missing'), place.env);
    expect(made.json).toMatchObject({ created: 100, failed: 0, records_made: { companies: 50 } });
    const skipped = await kithJson(args('contacts', file, '--match', 'emails', '--on-match', 'skip'), place.env);
    expect(skipped).toMatchObject({ code: 0, json: { created: 0, updated: 0, skipped: 100, failed: 0 } });
    writeFileSync(file, 'E-mail,Job title\nm1@x.test,Chief\n');
    const updated = await kithJson(args('contacts', file, '--match', 'emails'), place.env);
    expect(updated.json).toMatchObject({ created: 0, updated: 1, failed: 0 });
    const stored = sql`select job_title from ${identifier(place.schema, 'contacts')} where first_name = 'M1'`;
    expect(await place.rows(stored)).toEqual([['Chief']]);
  });

  it('names the flags that would have taken more: for companies that are not there, and for addresses that are', async () => {
    const file = join(place.directory, 'twice.csv');
    const text = 'First name,E-mail,Company\nOna,ona@twice.test,Twice Ltd\nPia,pia@twice.test,Twice Ltd\n';
    const firms = 'company_id names companies that are not there: --create-missing makes them\n';
    const known = '2 rows have an address that is there already: --match emails changes those records\n';
    writeFileSync(file, text);
    expect(await kithJson(args('contacts', file), place.env)).toMatchObject({ code: 1, stderr: firms });
    const made = await kithJson(args('contacts', file, '--create-missing'), place.env);
    expect(made).toMatchObject({ code: 0, stderr: '', json: { created: 2, duplicates: 0 } });
    const again = await kithJson(args('contacts', file), place.env);
    expect(again).toMatchObject({ code: 0, stderr: known, json: { created: 2, duplicates: 0 } });
    expect(again.json).not.toHaveProperty('updated');
    // Who says what becomes of them is told nothing.
    expect(await kithJson(args('contacts', file, '--on-match', 'create'), place.env)).toMatchObject({ stderr: '' });
    const matched = args('contacts', file, '--match', 'emails', '--on-match', 'skip');
    expect((await kithJson(matched, place.env)).stderr).toBe('');
  });

  it('fails the row whose company is nowhere, although other columns are guessed', async () => {
    const file = join(place.directory, 'nowhere.csv');
    writeFileSync(file, 'First Name,Company,City\nEva,Nowhere Ltd,Graz\n');
    const { code, json } = await kithJson(args('contacts', file, '--yes'), place.env);
    expect({ code, json }).toMatchObject({ code: 1, json: { created: 0, failed: 1 } });
    expect(json['errors']).toEqual([{ index: 0, error: expect.stringContaining('company_id names no record') }]);
  });

  it('writes the rows that failed, each with its reason, as a file that can be imported when it is mended', async () => {
    const [file, failed] = [join(place.directory, 'dates.csv'), join(place.directory, 'failed.csv')];
    writeFileSync(file, 'First name;Birthday\nD1;03/04/1990\nD2;05/06/1991\nD3;never\n'.replace('never', '07/08/1992'));
    expect((await kithJson(args('contacts', file), place.env)).json).toMatchObject({ code: 'VALIDATION_ERROR' });
    const { json } = await kithJson(args('contacts', file, '--date-format', 'DMY'), place.env);
    expect(json).toMatchObject({ created: 3 });
    writeFileSync(file, 'name,employees\nFine,3\nOdd,many\n');
    const strict = await kithJson(args('companies', file, '--errors-out', failed), place.env);
    expect(strict).toMatchObject({ code: 1, json: { created: 1, failed: 1 } });
    expect(readFileSync(failed, 'utf8')).toMatch(
      /^name,employees,import_error\r\nOdd,many,"?employees must be .*\r\n$/,
    );
    const empty = await kithJson(args('companies', file, '--bad-cells', 'empty'), place.env);
    expect(empty).toMatchObject({ code: 0, json: { created: 2, warnings: 1 } });
  });

  const refused: [name: string, object: string, file: string, more: string[], code: number, error: string][] = [
    ['an unknown object', 'contact', '-', [], 3, 'INVALID_OBJECT'],
    ['a file that is not there', 'contacts', 'no-such-file.csv', [], 3, 'NOT_FOUND'],
    ['a directory', 'contacts', tmpdir(), [], 2, 'VALIDATION_ERROR'],
    ['a file without any field', 'contacts', '-', ['--map', 'a='], 2, 'VALIDATION_ERROR'],
    ['a column that is not there', 'contacts', '-', ['--map', 'z=first_name'], 2, 'VALIDATION_ERROR'],
    ['a field that no import can set', 'contacts', '-', ['--map', 'a=created_at'], 2, 'VALIDATION_ERROR'],
    ['a picture', 'contacts', '-', ['--format', 'json'], 2, 'VALIDATION_ERROR'],
  ];
  for (const [name, object, file, more, code, error] of refused) {
    it(`refuses ${name}`, async () => {
      const text = name === 'a picture' ? '\u0089PNG\r\n' : 'a,b\n1,2\n';
      const result = await kithJson(args(object, file, ...more), place.env, text);
      expect(result).toMatchObject({ code, json: { code: error } });
    });
  }

  it('says once what concerns all rows: a field that nothing goes to, and how many owners are nobody here', async () => {
    const file = join(place.directory, 'all.csv');
    writeFileSync(file, 'Industry\nsoftware\n');
    const nameless = await kithJson(args('companies', file), place.env);
    expect(nameless).toMatchObject({ code: 1, json: { created: 0, failed: 1 } });
    expect(nameless.stderr).toBe("No column goes to name, which each record of companies needs: --map 'COLUMN=name'\n");
    writeFileSync(file, `name,owner\n${'Owned,Nobody Here\n'.repeat(1_100)}`);
    const owned = await kithJson(args('companies', file), place.env);
    expect(owned).toMatchObject({ code: 0, stderr: '1,100 owners are no users here; their records are yours\n' });
    const texts = await kithJson(args('companies', '-', '--format', 'json'), place.env, '["undefined","null"]');
    expect(texts).toMatchObject({ code: 2, json: { message: 'No row of the file is a record: it is not an object' } });
  });

  it('says in one sentence what is wrong with a file as a whole, and brings nothing of it in', async () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `B${at},b${at}@broken.test`);
    const whole = Buffer.from(`first_name,emails\n${rows.join('\n')}\n`);
    const broken: [name: string, bytes: Uint8Array, told: RegExp][] = [
      ['zip.csv', Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), whole]), /a spreadsheet or an archive/],
      ['excel.csv', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /an old Excel or Outlook file/],
      ['utf16.csv', Buffer.from(whole.toString(), 'utf16le'), /in UTF-16 without a byte order mark/],
      [
        'late.csv',
        Buffer.concat([whole, Buffer.alloc(1_100_000, ' \n'), Buffer.from([0xe9, 0x0a])]),
        /is not from about byte/,
      ],
      ['line.csv', Buffer.alloc(17 * 1024 * 1024, 'x'), /longer than 16 MB: the file has no line ends/],
      ['quote.csv', Buffer.concat([whole, Buffer.from('"'), Buffer.alloc(17 * 1024 * 1024, 'x')]), /16 MB: a quote/],
      ['cut.json', Buffer.from('[{"first_name":"Eva"},{"first_na'), /^error: The file is not JSON/],
      [
        'spaces.csv',
        Buffer.from(whole.toString().replaceAll(',', ' ')),
        /^error: No column of the file goes to a field/,
      ],
    ];
    const before = await countOf('contacts');
    for (const [name, bytes, told] of broken) {
      const file = join(place.directory, name);
      writeFileSync(file, bytes);
      const { code, stdout, stderr } = await kith(args('contacts', file), place.env);
      expect({ name, code, stdout, stderr }).toEqual({
        name,
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(told),
      });
      rmSync(file);
    }
    expect(await countOf('contacts')).toBe(before);
  });

  it('stops at an interruption and says what is in', async () => {
    const before = await countOf('contacts');
    const running = start(args('contacts', '-', '--json'), place.env);
    const rows = Array.from({ length: 1200 }, (_, at) => `Q${at}\n`);
    running.process.stdin?.write(`first_name\n${rows.join('')}`);
    // The first batch is in while the command waits for the rest of its input. The look-ahead needs a megabyte.
    running.process.stdin?.write(`${' '.repeat(1024 * 1024)}\n`);
    await expect.poll(() => countOf('contacts'), { timeout: 20_000 }).toBe(before + 1000);
    running.process.kill('SIGINT');
    const { code, stdout, stderr } = await running.outcome;
    expect(code).toBe(130);
    expect(stderr).toContain('Interrupted');
    expect(JSON.parse(stdout)).toMatchObject({ read: 1000, created: 1000, failed: 0 });
    expect(await countOf('contacts')).toBe(before + 1000);
  });
});

describe('real files', () => {
  const files: [object: string, path: string, more: string[], read: number, created: number][] = [
    ['companies', 'crm-sales/accounts.csv', ['--map', 'account=name'], 85, 85],
    [
      'opportunities',
      'crm-sales/sales_pipeline.csv',
      ['--map', 'opportunity_id=name', '--map', 'account=company_id', '--map', 'close_value=amount'],
      8800,
      8800,
    ],
    ['contacts', 'contacts/us-legislators.csv', [], 537, 537],
    ['contacts', 'exports/hubspot-contacts.csv', ['--create-missing'], 120, 120],
    ['contacts', 'exports/google-contacts.csv', ['--bad-cells', 'empty'], 120, 120],
    ['contacts', 'exports/outlook-contacts-cp1252.csv', ['--bad-cells', 'empty'], 80, 80],
    ['contacts', 'exports/linkedin-connections.csv', [], 100, 100],
    ['companies', 'salesforce-export/accounts.csv', ['--bad-cells', 'empty'], 423, 423],
    ['opportunities', 'salesforce-export/opportunities.csv', ['--bad-cells', 'empty'], 38, 38],
  ];
  for (const [object, path, more, read, created] of files) {
    it(path, async (context) => {
      context.skip(!existsSync(join(shared, path)), 'the shared data is not beside the project');
      const { json } = await kithJson(args(object, join(shared, path), ...more), place.env);
      expect(json, JSON.stringify(json['errors'])).toMatchObject({
        read,
        created,
        duplicates: 0,
        failed: 0,
        errors: [],
      });
    });
  }
});
