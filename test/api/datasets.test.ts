/** Real files through the import, the list and the export: nothing is lost, nothing is doubled. */
import { existsSync, readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { list, walk, type Query } from './records.ts';

type Row = Readonly<Record<string, string>>;

/** Beside the project, where it is there. */
const shared = new URL('../../../shared/data/', import.meta.url);
const missing = !existsSync(shared);

function rowsOf(file: string): Row[] {
  const text = readFileSync(new URL(file, shared), 'utf8');
  const { data } = Papa.parse<Row>(text, {
    header: true,
    skipEmptyLines: true,
    transformHeader: (name) => name.trim(),
    transform: (cell) => cell.trim(),
  });
  return data;
}

/** A column that is always there and may be empty. */
const cell = (row: Row, column: string): string => row[column] ?? '';
const isDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const legislator = (row: Row) => ({
  first_name: row['first_name'],
  last_name: row['last_name'],
  birthday: row['birthday'],
  job_title: `${cell(row, 'chamber')} ${cell(row, 'state')} (${cell(row, 'party')})`,
  phones: row['phone'],
  linkedin_url: row['url'],
  address: row['address'],
});

function person(row: Row) {
  const born = cell(row, 'date_of_birth').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return {
    first_name: row['given_name'],
    last_name: row['surname'],
    ...(isDay(born) && { birthday: born }),
    job_title: row['rec_id'],
    address: {
      street: `${cell(row, 'street_number')} ${cell(row, 'address_1')}`.trim(),
      street2: row['address_2'],
      city: row['suburb'],
      state: row['state'],
      postal_code: row['postcode'],
    },
  };
}

const constituent = (row: Row) => ({
  name: `${cell(row, 'Security')} (${cell(row, 'Symbol')})`,
  industry: row['GICS Sector'],
  address: row['Headquarters Location'],
  description: `${cell(row, 'GICS Sub-Industry')}; founded ${cell(row, 'Founded')}`,
});

const account = (row: Row) => ({
  name: row['account'],
  industry: row['sector'] === 'technolgy' ? 'technology' : row['sector'],
  annual_revenue: `${cell(row, 'revenue')} USD`,
  employees: row['employees'],
  address: row['office_location'],
});

const stages: Readonly<Record<string, string>> = {
  Prospecting: 'Lead',
  Engaging: 'Qualified',
  Won: 'Won',
  Lost: 'Lost',
};

const opportunity = (row: Row) => ({
  name: `${cell(row, 'opportunity_id')} ${cell(row, 'product')}`,
  company_id: row['account'],
  pipeline_step_id: stages[cell(row, 'deal_stage')],
  close_date: row['close_date'],
  amount: row['close_value'],
});

let kith: TestKith;
let admin: Client;

async function importAll(client: Client, object: string, records: readonly object[]): Promise<void> {
  const reply = await client.post(`/import/${object}`, { records });
  expect(reply.json.errors, reply.text.slice(0, 2000)).toEqual([]);
  expect(reply.json).toMatchObject({ created: records.length, duplicates: 0, failed: 0 });
}

const totalOf = async (client: Client, object: string, query: Query = {}): Promise<number> =>
  (await client.get(`/records/${object}`, { limit: 1, ...query })).json.total;

const where = (field: string, operator: string, value?: string) => ({
  filter_field: field,
  filter_operator: operator,
  filter_value: value,
});

describe.skipIf(missing)('real data (needs shared/data beside the project)', () => {
  let legislators: Row[];
  let people: Row[];
  let constituents: Row[];
  let accounts: Row[];
  let deals: Row[];

  beforeAll(async () => {
    kith = await startKith();
    ({ admin } = await kith.organization());
    [legislators, people] = [rowsOf('contacts/us-legislators.csv'), rowsOf('contacts/febrl-dataset1.csv')];
    [constituents, accounts] = [rowsOf('companies/sp500-constituents.csv'), rowsOf('crm-sales/accounts.csv')];
    deals = rowsOf('crm-sales/sales_pipeline.csv');
    await importAll(admin, 'contacts', legislators.map(legislator));
    await importAll(admin, 'contacts', people.map(person));
    await importAll(admin, 'companies', constituents.map(constituent));
    await importAll(admin, 'companies', accounts.map(account));
    await importAll(admin, 'opportunities', deals.map(opportunity));
  });
  afterAll(() => kith.stop());

  it('the counts are those of the files', async () => {
    expect([legislators, people, constituents, accounts, deals].map((rows) => rows.length)).toEqual([
      537, 1000, 503, 85, 8800,
    ]);
    expect(await totalOf(admin, 'contacts')).toBe(537 + 1000);
    expect(await totalOf(admin, 'companies')).toBe(503 + 85);
    expect(await totalOf(admin, 'opportunities')).toBe(8800);
  });

  const walks: [object: string, query: Query, count: number][] = [
    ['contacts', {}, 1537],
    ['contacts', { sort_by: 'last_name', sort_dir: 'asc' }, 1537],
    [
      'contacts',
      {
        sort: [
          { field: 'birthday', direction: 'desc' },
          { field: 'first_name', direction: 'asc' },
        ],
      },
      1537,
    ],
    ['companies', { sort_by: 'annual_revenue' }, 588],
    [
      'opportunities',
      {
        sort: [
          { field: 'close_date', direction: 'asc' },
          { field: 'amount', direction: 'desc' },
        ],
      },
      8800,
    ],
    ['opportunities', { sort_by: 'company_id', sort_dir: 'asc', fields: 'name' }, 8800],
  ];
  it.each(walks)('a page walk of %s by %o is the whole, each record once', async (object, query, count) => {
    const { total, records } = await walk(admin, object, { limit: 100, ...query });
    expect(total).toBe(count);
    expect(records).toHaveLength(count);
    expect(new Set(records.map((record) => record.id)).size).toBe(count);
  });

  it('a sort is the order of the file’s own values, nulls last', async () => {
    const { records } = await walk(admin, 'opportunities', {
      limit: 100,
      sort_by: 'amount',
      sort_dir: 'desc',
      fields: 'amount',
    });
    const values = deals.map((row) => cell(row, 'close_value')).filter((value) => value !== '');
    const expected = values.map(Number).toSorted((a, b) => b - a);
    expect(records.map((record) => record.amount?.amount ?? null)).toEqual([
      ...expected,
      ...Array.from({ length: 8800 - values.length }, () => null),
    ]);
  });

  it('filters find what the file holds', async () => {
    const count = (test: (row: Row) => boolean) => deals.filter(test).length;
    expect(await totalOf(admin, 'opportunities', where('company_id', 'is_null'))).toBe(
      count((row) => row['account'] === ''),
    );
    expect(await totalOf(admin, 'opportunities', where('company_id', 'is_null'))).toBe(1425);
    expect(await totalOf(admin, 'opportunities', where('company_id.name', 'equals', 'Cancity'))).toBe(
      count((row) => row['account'] === 'Cancity'),
    );
    expect(await totalOf(admin, 'opportunities', where('company_id.industry', 'equals', 'technology'))).toBe(
      count((row) => accounts.some((known) => known['account'] === row['account'] && known['sector'] === 'technolgy')),
    );
    expect(await totalOf(admin, 'opportunities', where('amount', 'greater_than', '4999.5'))).toBe(
      count((row) => Number(row['close_value']) >= 5000),
    );
    expect(await totalOf(admin, 'opportunities', where('amount', 'equals', '0'))).toBe(
      count((row) => row['close_value'] === '0'),
    );
    expect(await totalOf(admin, 'opportunities', where('close_date', 'date_between', '2017-03-01,2017-03-31'))).toBe(
      count((row) => cell(row, 'close_date').startsWith('2017-03')),
    );
    expect(await totalOf(admin, 'opportunities', where('name', 'ends_with', 'GTXPro'))).toBe(1480);
    expect(await totalOf(admin, 'contacts', where('birthday', 'date_before', '1940-01-01'))).toBe(
      [...legislators.map(legislator), ...people.map(person)].filter(
        (row) => row.birthday !== undefined && row.birthday !== '' && row.birthday < '1940-01-01',
      ).length,
    );
  });

  it('each stage has the deals of the file', async () => {
    const { records } = await walk(admin, 'opportunities', { limit: 100, fields: 'pipeline_step_id' });
    const counts = new Map<string, number>();
    for (const { pipeline_step_id_display: step } of records) counts.set(step, (counts.get(step) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ Lead: 500, Qualified: 1589, Won: 4238, Lost: 2473 });
    const won = records.find((record) => record.pipeline_step_id_display === 'Won');
    expect(await totalOf(admin, 'opportunities', where('pipeline', 'equals', won.pipeline_step_id))).toBe(4238);
  });

  it.each<[string, string]>([
    ['klobuchar', 'Klobuchar'],
    ['senate office', 'Senate Office'],
    ['2022243441', '202-224-3441'],
  ])('the search for %s finds as many people as the file names with %s', async (search, text) => {
    const expected = legislators.filter((row) =>
      [row['last_name'], row['address'], row['phone']].some((value) => value?.includes(text)),
    ).length;
    expect(expected).toBeGreaterThan(0);
    expect(await totalOf(admin, 'contacts', { search })).toBe(expected);
  });

  it('a search without accents finds names with them', async () => {
    const accented = legislators.filter((row) => /[^\x20-\x7e]/.test(cell(row, 'last_name')));
    expect(accented.length).toBeGreaterThan(0);
    for (const row of accented) {
      const plain = cell(row, 'last_name').normalize('NFKD').replace(/\p{M}/gu, '');
      const found = await list(admin, 'contacts', { search: `${plain} ${cell(row, 'state')}` });
      expect(
        found.map((record) => record.last_name),
        plain,
      ).toContain(row['last_name']);
    }
  });

  /** Of the first organization, by object. */
  const summed = new Map<string, Record<string, number>>();
  it.each(['json', 'csv'])(
    'what is exported as %s goes into a second organization: the same counts, the same sums',
    async (format) => {
      const { admin: second } = await kith.organization();
      const theirs = new Map<string, Record<string, number>>();
      for (const object of ['companies', 'contacts', 'opportunities'])
        await importAll(second, object, await exported(object, format));
      for (const object of ['companies', 'contacts', 'opportunities']) {
        expect(await totalOf(second, object), object).toBe(await totalOf(admin, object));
        summed.set(object, summed.get(object) ?? (await sums(admin, object)));
        theirs.set(object, await sums(second, object));
        expect(theirs.get(object), object).toEqual(summed.get(object));
      }
      const won = deals.reduce((sum, row) => sum + Number(row['close_value']), 0);
      expect(theirs.get('opportunities')?.['amount']).toBe(won);
      expect(await totalOf(second, 'opportunities', where('company_id.name', 'equals', 'Cancity'))).toBe(
        deals.filter((row) => row['account'] === 'Cancity').length,
      );
    },
  );

  async function exported(object: string, format: string): Promise<object[]> {
    const reply = await admin.get(`/export/${object}`, { format, limit: 10_000 });
    if (format === 'json') return reply.json.records;
    // A cell that begins like a formula was guarded with an apostrophe; none of these files has one.
    expect(reply.text).not.toMatch(/(^|,)'[=+@-]/m);
    return Papa.parse<Row>(reply.text, { header: true, skipEmptyLines: true }).data;
  }
});

/** What adds up in an object: amounts, people, and how many records have each relation. */
async function sums(client: Client, object: string): Promise<Record<string, number>> {
  const { records } = await walk(client, object, { limit: 100 });
  const add = (value: (record: Reply['json']) => number) => records.reduce((sum, record) => sum + value(record), 0);
  return {
    amount: add((record) => record.amount?.amount ?? 0),
    revenue: Math.round(add((record) => (record.annual_revenue?.amount ?? 0) * 100)),
    employees: add((record) => record.employees ?? 0),
    phones: add((record) => record.phones?.length ?? 0),
    birthdays: add((record) => (record.birthday ? Date.parse(record.birthday) : 0)),
    companies: new Set(records.map((record) => record.company_id_display)).size,
    industries: new Set(records.map((record) => record.industry)).size,
    addresses: add((record) => record.address?.formatted.length ?? 0),
    won: add((record) => (record.pipeline_step_id_display === 'Won' ? 1 : 0)),
  };
}
