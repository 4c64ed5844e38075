/** [spec: Records, List query parameters] Pages: size, order, cursor, total. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith } from '../support/kith.ts';
import { create, createAll, expectError, list, sortedIds, walk, type Query } from './records.ts';

type Values = Reply['json'];

let kith: TestKith;
let admin: Client;
let companies: Values[];

const names = [
  'beta',
  'Alpha',
  'alpha',
  'Ärger',
  'ärger',
  'zeta',
  'Zeta',
  'Ω',
  '日本',
  '😀',
  '_under',
  '10',
  '9',
  'a b',
  'a-b',
];

/** Ties, nulls, capitals and scripts: whatever makes an order go wrong. */
function company(index: number): object {
  return {
    name: names[index % names.length],
    ...(index % 4 > 0 && { employees: (index * 7) % 5 }),
    ...(index % 3 > 0 && {
      annual_revenue: { amount: [0.1, -5, 10, 9.99, 100][index % 5], currency: index % 2 ? 'EUR' : 'USD' },
    }),
    ...(index % 5 > 0 && { industry: ['software', 'banking', 'retail'][index % 3] }),
    ...(index % 2 > 0 && { domain: `https://${index % 3}.test` }),
  };
}

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  companies = await createAll(
    admin,
    'companies',
    Array.from({ length: 45 }, (_, index) => company(index)),
  );
});
afterAll(() => kith.stop());

describe('shape', () => {
  it('WSD-25, WSD-26, RECO2-20: data, total and nextCursor, which the last page has not', async () => {
    const first = await admin.get('/records/companies', { limit: 40 });
    expect(first.status).toBe(200);
    expect(Object.keys(first.json)).toEqual(['data', 'total', 'nextCursor']);
    expect(first.json.data).toHaveLength(40);
    expect(first.json.total).toBe(45);
    const last = await admin.get('/records/companies', { limit: 40, cursor: first.json.nextCursor });
    expect(Object.keys(last.json)).toEqual(['data', 'total']);
    expect(last.json.data).toHaveLength(5);
    expect(last.json.total).toBe(45);
  });

  it('a page that ends with the last record has no nextCursor', async () => {
    expect((await admin.get('/records/companies', { limit: 45 })).json).not.toHaveProperty('nextCursor');
  });

  it('an empty list is [] and 0', async () => {
    expect((await admin.get('/records/opportunities')).json).toEqual({ data: [], total: 0 });
  });

  it.each([
    [undefined, 20],
    ['', 20],
    [1, 1],
    [100, 45],
    [101, 45],
    [1e9, 45],
    [0, 1],
    [-7, 1],
  ])('PSL-01, RECO2-10: limit=%s gives %s records', async (limit, count) => {
    expect((await admin.get('/records/companies', { limit })).json.data).toHaveLength(count);
  });

  it.each([
    [101, '299 - "limit goes from 1 to 100: 101 was taken as 100"'],
    [0, '299 - "limit goes from 1 to 100: 0 was taken as 1"'],
    ['9'.repeat(100), `299 - "limit goes from 1 to 100: ${'9'.repeat(80)}%E2%80%A6 was taken as 100"`],
    [100, null],
  ])('PSL-01: limit=%s has the warning %s', async (limit, warning) => {
    expect((await admin.get('/records/companies', { limit })).headers.get('warning')).toBe(warning);
  });

  it.each(['abc', '2.9', '1e2', '0x10', 'true'])('PSL-01: limit=%s is refused', async (limit) => {
    const reply = await admin.get('/records/companies', { limit });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toBe(`limit must be a whole number from 1 to 100, not "${limit}"`);
  });

  it('a sort that is not JSON is ignored, with a warning that says what is right', async () => {
    const reply = await admin.get('/records/companies', { sort: 'name', sort_by: 'name', limit: 7 });
    expect(reply.json.data).toEqual(await list(admin, 'companies', { sort_by: 'name', limit: 7 }));
    const right = String.raw`sort_by=name, or sort=[{\"field\":\"name\",\"direction\":\"asc\"}]`;
    expect(reply.headers.get('warning')).toBe(`299 - "sort is not JSON and was ignored: use ${right}"`);
  });

  it('a search, which takes no sort_by, does not speak of it', async () => {
    const reply = await admin.get('/search', { query: 'anna', sort: 'name' });
    const right = String.raw`sort=[{\"field\":\"name\",\"direction\":\"asc\"}]`;
    expect(reply.headers.get('warning')).toBe(`299 - "sort is not JSON and was ignored: use ${right}"`);
  });

  it('PSL-01: more than 100 are never given at once', async () => {
    const { admin } = await kith.organization();
    await createAll(
      admin,
      'contacts',
      Array.from({ length: 130 }, () => ({})),
    );
    const reply = (await admin.get('/records/contacts', { limit: 500 })).json;
    expect(reply.data).toHaveLength(100);
    expect(reply.total).toBe(130);
  });

  it('an unknown parameter is VALIDATION_ERROR with the nearest known one', async () => {
    const reply = await admin.get('/records/companies', { limt: 5 });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('"limt"');
    expect(reply.json.message).toContain('limit');
  });

  it('fields trims the records to what is named', async () => {
    const [record] = await list(admin, 'companies', { fields: 'name, employees', limit: 1 });
    expect(Object.keys(record)).toEqual(['id', 'name', 'employees']);
    expectError(await admin.get('/records/companies', { fields: 'name,nothing' }), 'INVALID_FIELD');
  });
});

type Key = (record: Values) => string | number | null;
type Order = [key: Key, direction: 'asc' | 'desc'];

/** ASCII letters in lower case, then by code point, as UTF-8 sorts. */
const text = (value: string | null) =>
  value && Buffer.from(value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())).toString('hex');
const byId: Key = (record) => record.id;

/** The whole in the order that was asked for; nulls last in both directions, ids break ties like the last key. */
function ordered(orders: readonly Order[]): string[] {
  const keys: readonly Order[] = [...orders, [byId, orders.at(-1)?.[1] ?? 'desc']];
  const compare = (a: Values, b: Values): number => {
    for (const [key, direction] of keys) {
      const [x, y] = [key(a), key(b)];
      if (x === y) continue;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y === (direction === 'asc') ? -1 : 1;
    }
    return 0;
  };
  return companies.toSorted(compare).map((record) => record.id);
}

const name: Key = (record) => text(record.name);
const employees: Key = (record) => record.employees;
const amount: Key = (record) => record.annual_revenue?.amount ?? null;
const industry: Key = (record) => text(record.industry);
const domain: Key = (record) => text(record.domain);
const createdAt: Key = (record) => record.created_at;

const sorts: [query: Query, orders: Order[]][] = [
  [{}, [[createdAt, 'desc']]],
  [{ sort_by: 'created_at', sort_dir: 'asc' }, [[createdAt, 'asc']]],
  [{ sort_dir: 'asc' }, [[createdAt, 'asc']]],
  [{ sort_by: 'name' }, [[name, 'desc']]],
  [{ sort_by: 'name', sort_dir: 'asc' }, [[name, 'asc']]],
  [{ sort_by: 'employees', sort_dir: 'asc' }, [[employees, 'asc']]],
  [{ sort_by: 'employees', sort_dir: 'desc' }, [[employees, 'desc']]],
  [{ sort_by: 'annual_revenue', sort_dir: 'asc' }, [[amount, 'asc']]],
  [{ sort_by: 'annual_revenue', sort_dir: 'desc' }, [[amount, 'desc']]],
  [{ sort_by: 'industry', sort_dir: 'asc' }, [[industry, 'asc']]],
  [{ sort_by: 'id', sort_dir: 'asc' }, [[byId, 'asc']]],
  [
    {
      sort: [
        { field: 'industry', direction: 'desc' },
        { field: 'employees', direction: 'asc' },
      ],
    },
    [
      [industry, 'desc'],
      [employees, 'asc'],
    ],
  ],
  [
    {
      sort: [
        { field: 'employees', direction: 'asc' },
        { field: 'domain', direction: 'desc' },
        { field: 'name', direction: 'asc' },
      ],
    },
    [
      [employees, 'asc'],
      [domain, 'desc'],
      [name, 'asc'],
    ],
  ],
];

describe('order', () => {
  it.each(sorts)(
    'WSD-27, WSD-30: a walk with %o is the whole, in order, whatever the page size',
    async (query, orders) => {
      const expected = ordered(orders);
      for (const limit of [1, 7, 44, 100]) {
        const { total, records } = await walk(admin, 'companies', { ...query, limit });
        expect(
          records.map((record) => record.id),
          `limit ${limit}`,
        ).toEqual(expected);
        expect(total).toBe(45);
      }
    },
  );

  const filters = {
    type: 'OR',
    conditions: [
      { field: 'industry', operator: 'equals', value: 'software' },
      { field: 'employees', operator: 'is_null' },
    ],
  };
  it('total and walk go by the filter', async () => {
    const matching = companies.filter((record) => record.industry === 'software' || record.employees === null);
    const { total, records } = await walk(admin, 'companies', { filters, sort_by: 'name', limit: 3 });
    expect(total).toBe(matching.length);
    expect(sortedIds(records)).toEqual(sortedIds(matching));
  });

  it.each<[string, Query, Order]>([
    [
      'WSD-31, RECO2-16: sort goes before sort_by and sort_dir',
      { sort: [{ field: 'name', direction: 'asc' }], sort_by: 'employees', sort_dir: 'desc' },
      [name, 'asc'],
    ],
    [
      'WSD-31: sort that is not JSON counts as absent',
      { sort: 'name', sort_by: 'employees', sort_dir: 'asc' },
      [employees, 'asc'],
    ],
    [
      'WSD-31: sort of nothing goes before sort_by, too',
      { sort: [], sort_by: 'nothing', sort_dir: 'asc' },
      [createdAt, 'desc'],
    ],
    ['RECO2-14, RECO2-15: without any, created_at descending', {}, [createdAt, 'desc']],
  ])('%s', async (_name, query, order) => {
    expect((await list(admin, 'companies', query)).map((record) => record.id)).toEqual(ordered([order]));
  });

  it.each<[string, Query, string]>([
    ['an unknown field', { sort_by: 'nothing' }, 'INVALID_FIELD'],
    ['an unknown field in sort', { sort: [{ field: 'nothing', direction: 'asc' }] }, 'INVALID_FIELD'],
    ['a direction that is none', { sort_by: 'name', sort_dir: 'up' }, 'VALIDATION_ERROR'],
    ['a direction that is none in sort', { sort: [{ field: 'name', direction: 'ASC' }] }, 'VALIDATION_ERROR'],
    ['sort that is JSON and no array', { sort: { field: 'name' } }, 'VALIDATION_ERROR'],
    ['sort of texts', { sort: ['name'] }, 'VALIDATION_ERROR'],
    [
      'too many keys',
      { sort: Array.from({ length: 6 }, () => ({ field: 'name', direction: 'asc' })) },
      'VALIDATION_ERROR',
    ],
  ])('%s is refused', async (_name, query, code) => {
    const reply = await admin.get('/records/companies', query);
    expectError(reply, code);
    if (code === 'INVALID_FIELD') expect(reply.json.available_values).toContain('annual_revenue');
  });

  it('a field without order is refused, naming those that have one', async () => {
    const reply = await admin.get('/records/contacts', { sort_by: 'tags' });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.available_values).toContain('last_name');
    expect(reply.json.available_values).not.toContain('tags');
  });
});

describe('cursor', () => {
  const base: Query = { limit: 5, sort_by: 'name', sort_dir: 'asc', search: 'a' };

  it.each<[string, string, Query]>([
    ['another object', 'contacts', { limit: 5, sort_by: 'created_at' }],
    ['another sort', 'companies', { ...base, sort_by: 'employees' }],
    ['another direction', 'companies', { ...base, sort_dir: 'desc' }],
    ['another search', 'companies', { ...base, search: 'b' }],
    ['no search', 'companies', { ...base, search: undefined }],
    ['a filter more', 'companies', { ...base, filter_field: 'name', filter_operator: 'is_not_null' }],
  ])('RECO2-11: one of %s is VALIDATION_ERROR', async (_name, object, query) => {
    const cursor = (await admin.get('/records/companies', base)).json.nextCursor;
    const reply = await admin.get(`/records/${object}`, { ...query, cursor });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('cursor');
  });

  it('the page size may change on the way', async () => {
    const { nextCursor, data } = (await admin.get('/records/companies', base)).json;
    const rest = (await admin.get('/records/companies', { ...base, limit: 100, cursor: nextCursor })).json.data;
    expect([...data, ...rest]).toEqual(await list(admin, 'companies', { ...base, limit: 100 }));
  });

  it('a changed or made-up cursor is VALIDATION_ERROR', async () => {
    const cursor: string = (await admin.get('/records/companies', { limit: 1 })).json.nextCursor;
    const middle = cursor.length >> 1;
    const changed = cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    for (const text of [
      changed,
      `${cursor}A`,
      cursor.slice(0, -3),
      '',
      'x',
      '{"id":1}',
      Buffer.from(companies[0].id).toString('base64url'),
    ]) {
      expectError(await admin.get('/records/companies', { limit: 1, cursor: text }), 'VALIDATION_ERROR');
    }
  });

  it("another organization's cursor shows nothing of its own", async () => {
    const other = await kith.organization();
    await createAll(other.admin, 'companies', [{ name: 'A' }, { name: 'B' }]);
    const cursor = (await admin.get('/records/companies', { limit: 1 })).json.nextCursor;
    const reply = await other.admin.get('/records/companies', { limit: 1, cursor });
    expect(reply.status).toBe(400);
    expect(reply.json.code).toBe('VALIDATION_ERROR');
  });

  it('what is written on the way neither repeats records nor hides them', async () => {
    const { admin } = await kith.organization();
    const before = await createAll(
      admin,
      'companies',
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name })),
    );
    const first = (await admin.get('/records/companies', { limit: 2 })).json;
    await create(admin, 'companies', { name: 'new' });
    await admin.delete(`/records/companies/${first.data[1].id}`);
    const rest = (await admin.get('/records/companies', { limit: 100, cursor: first.nextCursor })).json;
    const seen = [...first.data, ...rest.data].map((record: Values) => record.id);
    expect(seen).toEqual(before.toReversed().map((record) => record.id));
    expect(rest.total).toBe(6);
  });
});

describe('total', () => {
  it('follows each write', async () => {
    const { admin } = await kith.organization();
    const total = async (query: Query = {}) => (await admin.get('/records/companies', query)).json.total;
    const software = { filter_field: 'industry', filter_operator: 'equals', filter_value: 'software' };
    expect([await total(), await total(software)]).toEqual([0, 0]);
    const { id } = await create(admin, 'companies', { name: 'x', industry: 'software' });
    expect([await total(), await total(software)]).toEqual([1, 1]);
    await admin.put(`/records/companies/${id}`, { industry: 'banking' });
    expect([await total(), await total(software)]).toEqual([1, 0]);
    await admin.delete(`/records/companies/${id}`);
    expect([await total(), await total(software)]).toEqual([0, 0]);
    await admin.post(`/records/companies/${id}/restore`);
    expect([await total(), await total({ ...software, filter_value: 'banking' })]).toEqual([1, 1]);
  });
});
