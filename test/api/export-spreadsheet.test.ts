/** [spec: Export] Spreadsheets: `format=xlsx`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sheetOf } from '../records/xlsx-files.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create, createAll } from './records.ts';

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  await createAll(admin, 'companies', [
    { name: 'Acme, "Inc"', employees: 5, annual_revenue: { amount: 1200.5, currency: 'EUR' } },
    { name: '=1+1', employees: 7 },
    { name: 'Ünï 日本 😀', employees: 6, address: { street: 'Main St 1', city: 'Ulm' } },
  ]);
});
afterAll(() => kith.stop());

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const get = (query: string) =>
  fetch(`${kith.url}/api/v1/export/companies?format=xlsx&${query}`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });

it('has numbers as numbers and all else as text, formulas too', async () => {
  const reply = await get('fields=name,employees,annual_revenue,address&sort_by=employees');
  expect(reply.headers.get('content-type')).toBe(type);
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename=companies_export.xlsx');
  expect(sheetOf(Buffer.from(await reply.arrayBuffer()))).toEqual([
    ['name', 'employees', 'annual_revenue', 'address'],
    ['Acme, "Inc"', { number: '5' }, '1200.5 EUR'],
    ['Ünï 日本 😀', { number: '6' }, null, 'Main St 1, Ulm'],
    ['=1+1', { number: '7' }],
  ]);
});

it('is not refused for a record behind its limit', async () => {
  const { admin: other } = await kith.organization();
  await create(other, 'companies', { name: 'A', employees: 1 });
  await create(other, 'companies', { name: 'B', employees: 2, description: 'x'.repeat(40_000) });
  const query = { format: 'xlsx', fields: 'name,description', sort_by: 'employees' };
  expect((await other.get('/export/companies', { ...query, limit: 1 })).status).toBe(200);
  expect((await other.get('/export/companies', query)).status).toBe(400);
});

it('goes on at the cursor', async () => {
  const first = await get('fields=name&sort_by=employees&limit=2');
  expect(sheetOf(Buffer.from(await first.arrayBuffer()))).toHaveLength(3);
  const [, next = ''] = /<\/api\/v1\/export\/companies\?([^>]*)>/.exec(first.headers.get('link') ?? '') ?? [];
  expect(sheetOf(Buffer.from(await (await get(next.replace('format=xlsx&', ''))).arrayBuffer()))).toEqual([
    ['name'],
    ['=1+1'],
  ]);
});
