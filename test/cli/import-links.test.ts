/** Files of one program that are imported one after the other, without a word on their columns. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, identifier } from '../../src/postgres/sql.ts';
import { kith, kithJson } from './in-process.ts';
import { ctrlC, onTerminal } from './terminal.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.close());

const args = (object: string, file: string, ...more: readonly string[]) => [
  ...['import', '--org', place.org, '--object', object],
  ...['--file', file, ...more],
];

function written(name: string, text: string): string {
  const file = join(place.directory, name);
  writeFileSync(file, text);
  return file;
}

/** The ids of the source, of each record and of what it is linked to. */
async function linksOf(table: string, idColumn: string): Promise<Map<string, string | null>> {
  const rows =
    await place.rows(sql`select t.${identifier(idColumn)}, c.${identifier(idColumn)} from ${identifier(place.schema, table)} t
      left join ${identifier(place.schema, 'companies')} c on c.id = t.company_id`);
  return new Map(rows.map(([own, company]) => [own ?? '', company ?? null]));
}

const rowsIn = (file: string) =>
  Papa.parse<Record<string, string>>(readFileSync(file, 'latin1'), { header: true, skipEmptyLines: true }).data;

describe('of HubSpot', () => {
  it('three files link, and come again as updates', async (context) => {
    const contacts = join(shared, 'exports/hubspot-contacts.csv');
    context.skip(!existsSync(contacts), 'the shared data is not beside the project');
    const people = Papa.parse<Record<string, string>>(readFileSync(contacts, 'utf8').replace('\ufeff', ''), {
      header: true,
      skipEmptyLines: true,
    }).data;
    const idOf = (row: Record<string, string>, column: string) => row[column] ?? '';
    const companies = Papa.unparse(
      people.map((row) => ({
        'Record ID': idOf(row, 'Associated Company IDs'),
        'Company name': idOf(row, 'Associated Company'),
        Industry: 'Tea Trade',
      })),
    );
    const deals = Papa.unparse(
      people.slice(0, 40).map((row, at) => ({
        'Record ID': `7${at}`,
        'Deal Name': `Deal ${at}`,
        'Deal Stage': at % 2 === 0 ? 'Won' : 'Lost',
        'Associated Company IDs': idOf(row, 'Associated Company IDs'),
        'Associated Contact IDs': `${idOf(row, 'Record ID')};${idOf(people[at + 1] ?? {}, 'Record ID')}`,
      })),
    );
    const files = [
      ['companies', written('companies.csv', companies), 120],
      ['contacts', contacts, 120],
      ['opportunities', written('deals.csv', deals), 40],
    ] as const;
    const tried = await kithJson(args('companies', files[0][1], '--keep-ids', '--add-options', '--dry-run'), place.env);
    expect(tried).toMatchObject({ code: 0, json: { created: 120, failed: 0, new_fields: ['hubspot_id'] } });
    expect(tried.stderr).toContain('Record ID    → hubspot_id, a new field (TEXT)\n');
    const twice = written('twice.csv', `${companies}\r\n${companies.split('\r\n').slice(1).join('\r\n')}`);
    const both = await kith(args('companies', twice, '--keep-ids', '--add-options', '--dry-run'), place.env);
    expect(both.stderr).toContain('A row is the record that has its hubspot_id, if there is one\n');
    expect(both.stderr).toContain('Nothing was changed');
    expect(both.stdout.replaceAll(/\s+/g, ' ')).toContain('read 240 created 120 duplicates 0 failed 0 updated 120');
    expect(both.stdout).toContain('new field to be made: hubspot_id\nnew options of industry to be made: Tea Trade\n');
    for (const [object, file, count] of files) {
      const { code, json } = await kithJson(args(object, file, '--keep-ids', '--add-options'), place.env);
      expect({ code, json }, object).toMatchObject({
        code: 0,
        json: { created: count, updated: 0, failed: 0, duplicates: 0, new_fields: ['hubspot_id'] },
      });
      expect([object, json['warnings']]).toEqual([object, undefined]);
      expect(json['enum_options']).toEqual(object === 'companies' ? { industry: ['Tea Trade'] } : undefined);
    }
    const companyOf = await linksOf('contacts', 'hubspot_id');
    for (const row of people) expect(companyOf.get(idOf(row, 'Record ID'))).toBe(idOf(row, 'Associated Company IDs'));
    expect((await linksOf('opportunities', 'hubspot_id')).get('70')).toBe(
      idOf(people[0] ?? {}, 'Associated Company IDs'),
    );
    for (const [object, file, count] of files) {
      const { json } = await kithJson(args(object, file), place.env);
      expect(json, object).toMatchObject({ created: 0, updated: count, skipped: 0, failed: 0 });
    }
  });
});

describe('of Salesforce', () => {
  it('opportunities link to the accounts', async (context) => {
    const [accounts, opportunities] = ['accounts', 'opportunities'].map((name) =>
      join(shared, `salesforce-export/${name}.csv`),
    ) as [string, string];
    context.skip(!existsSync(accounts), 'the shared data is not beside the project');
    const early = await kith(args('opportunities', opportunities, '--dry-run'), place.env);
    expect(early.stderr).toContain('"ACCOUNTID" has ids of companies, which have no salesforce_id');
    expect(early.stderr).toContain('ID could be kept as salesforce_id: --keep-ids\n');
    for (const [object, file, count] of [
      ['companies', accounts, 423],
      ['opportunities', opportunities, 38],
    ] as const) {
      const first = await kithJson(args(object, file, '--keep-ids'), place.env);
      expect(first.json, object).toMatchObject({ created: count, failed: 0 });
    }
    const again = await kithJson(args('opportunities', opportunities), place.env);
    expect(again.json).toMatchObject({ created: 0, updated: 38, failed: 0 });
    const companyOf = await linksOf('opportunities', 'salesforce_id');
    for (const row of rowsIn(opportunities)) expect(companyOf.get(row['ID'] ?? '')).toBe(row['ACCOUNTID']);
  });
});

describe('fields that are made', () => {
  it('CIR-12: of columns that are named, or of all that go nowhere; the mapping goes before', async () => {
    const file = written('plain.csv', 'name,Shoe size,Tier,Mood,Skip\nAldi,42,Gold,glad,x\nBosch,43,Silver,,y\n');
    const { json } = await kithJson(
      args('companies', file, '--new-field', 'Tier=level:select', '--new-fields', '--map', 'Skip='),
      place.env,
    );
    expect(json).toMatchObject({
      created: 2,
      failed: 0,
      new_fields: ['shoe_size', 'level', 'mood'],
      enum_options: { level: ['Gold', 'Silver'] },
      ignored_columns: ['Skip'],
    });
    const stored = sql`select shoe_size, mood, level from ${identifier(place.schema, 'companies')} where name = 'Aldi'`;
    expect(await place.rows(stored)).toEqual([['42', 'glad', 'gold']]);
    const wrong = await kithJson(args('companies', file, '--new-field', 'Tier=level:PICTURE'), place.env);
    expect(wrong).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR' } });
    const lost = await kithJson(args('companies', file, '--new-field', 'Nothing'), place.env);
    expect(lost).toMatchObject({ code: 2, json: { code: 'VALIDATION_ERROR' } });
  });

  it('with the options that its rows ask for, however their cells list them', async () => {
    const rows = [
      ['Gamma', 'hot ::: cold', 'a ::: b', 'x|y'],
      ['Delta', '["hot","wet"]', 'b ::: c', 'y|z'],
      ['Omega', 'wet; dry', 'a ::: c', 'x|z'],
    ];
    const text = Papa.unparse({ fields: ['name', 'Weather', 'Kinds', 'Signs'], data: rows });
    const { code, json } = await kithJson(
      args('companies', written('lists.csv', text), '--new-field', 'Weather=weather:MULTI_SELECT', '--new-fields'),
      place.env,
    );
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        created: 3,
        failed: 0,
        new_fields: ['weather', 'kinds', 'signs'],
        enum_options: { weather: ['hot', 'cold', 'wet', 'dry'], kinds: ['a', 'b', 'c'] },
      },
    });
    const stored = sql`select weather, kinds, signs from ${identifier(place.schema, 'companies')} where name = 'Delta'`;
    expect(await place.rows(stored)).toEqual([['{hot,wet}', '{b,c}', 'y|z']]);
  });

  it('for no ids of a program whose rows are records of another object, which is said', async () => {
    const file = written('elsewhere.csv', 'Record ID,First Name,Email\n4711,Elsewhere,e@x.test\n');
    const { code, json, stderr } = await kithJson(
      args('companies', file, '--keep-ids', '--map', 'First Name=name'),
      place.env,
    );
    expect({ code, json }).toMatchObject({ code: 0, json: { created: 1 } });
    expect(json['new_fields']).toBeUndefined();
    expect(stderr).toContain('Nothing is known of ids in this file: --new-field keeps those of a column\n');
  });

  it('by themselves where records cannot be told by the field that would keep their ids', async () => {
    const other = await openWorkplace();
    try {
      const here = (object: string, file: string, ...more: readonly string[]) =>
        kithJson(['import', '--org', other.org, '--object', object, '--file', file, ...more], other.env);
      const firms = written('long-ids.csv', 'Record ID,Company name\n31,Longs\n');
      const long = await here('companies', firms, '--new-field', 'Record ID=hubspot_id:LONG_TEXT');
      expect(long.json).toMatchObject({ created: 1, new_fields: ['hubspot_id'] });
      const again = await here('companies', written('more-ids.csv', 'Record ID,Company name\n32,More\n'));
      expect(again).toMatchObject({ code: 0, json: { created: 1, failed: 0 } });
      const people = written(
        'long-links.csv',
        'Record ID,First Name,Email,Company Name,Associated Company IDs\n5,Lo,lo@x.test,Other,31\n',
      );
      const linked = await here('contacts', people);
      expect(linked).toMatchObject({ code: 0, json: { created: 1, failed: 0, records_made: { companies: 1 } } });
      expect(linked.stderr).toContain('"Associated Company IDs" has ids of companies, which have no hubspot_id');
    } finally {
      await other.close();
    }
  });

  it('by any column: records are found by a field that the file before it has made', async () => {
    const firms = written('firms.csv', 'name,Ref\nCelan,c-1\nDario,d-1\n');
    await kithJson(args('companies', firms, '--new-field', 'Ref', '--match', 'ref'), place.env);
    const people = written('staff.csv', 'first_name,Firm ref\nXenia,d-1\nYves,z-9\n');
    const { code, json } = await kithJson(args('contacts', people, '--map', 'Firm ref=company_id.ref'), place.env);
    expect({ code, json }).toMatchObject({
      code: 1,
      json: { created: 1, failed: 1, errors: [{ index: 1, error: 'company_id names no record: "z-9"' }] },
    });
    const again = await kithJson(args('companies', firms, '--match', 'ref'), place.env);
    expect(again.json).toMatchObject({ created: 0, updated: 2 });
  });

  it('also where a pipe brings them later, and where the workspace has changed between two batches', async () => {
    const rows = Array.from({ length: 2_100 }, (_, at) => `P${at},${at < 1_500 ? 'software' : 'Late Trade'},${at}`);
    const { code, json } = await kithJson(
      args('companies', '-', '--add-options', '--new-field', 'Key'),
      place.env,
      `name,industry,Key\n${rows.join('\n')}\n`,
    );
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { created: 2_100, failed: 0, new_fields: ['key'], enum_options: { industry: ['Late Trade'] } },
    });
    const late = sql`select count(*), count(key) from ${identifier(place.schema, 'companies')} where industry = 'late_trade'`;
    expect(await place.rows(late)).toEqual([['600', '600']]);
  });

  it('at a terminal: each is asked for', { timeout: 120_000 }, async () => {
    const file = written('asked.csv', 'name,Colour,industry\nEiger,red,Clockwork\nFirn,blue,Clockwork\n');
    const terminal = onTerminal(args('companies', file), place.env);
    await terminal.until('Make new fields of Colour (colour, TEXT)? [y/N] ');
    terminal.type('n\n');
    await terminal.until('industry has no option Clockwork (2 rows)\nAdd it? [y/N] ');
    terminal.type('y\n');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toMatch(/new options of industry: Clockwork\n/);
    expect(terminal.shown()).toMatch(/Ignored columns: Colour/);
  });

  it('at a terminal: who stops it at a question has nothing imported', { timeout: 120_000 }, async () => {
    const file = written('stopped.csv', 'name,Colour\nNever,red\n');
    const terminal = onTerminal(args('companies', file), place.env);
    await terminal.until('Make new fields of Colour (colour, TEXT)? [y/N] ');
    terminal.type(ctrlC);
    expect(await terminal.ended).not.toBe(0);
    expect(await place.rows(sql`select from ${identifier(place.schema, 'companies')} where name = 'Never'`)).toEqual(
      [],
    );
  });
});
