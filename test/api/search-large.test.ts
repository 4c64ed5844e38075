/** [spec: Search] Answers of searches that find large records. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { apply, create } from './records.ts';

const million = 1_000_000;
const megabytes16 = 16 * 1024 * 1024;

let kith: TestKith;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  ({ admin } = await kith.organization());
  const texts = ['one', 'two', 'three', 'four'].map((name) => ({ name, type: 'LONG_TEXT' }));
  const fields = [{ name: 'name', type: 'TEXT', isSearchable: true }, ...texts];
  await apply(admin, { objects: [{ name: 'books', displayField: 'name', fields }] });
  const text = 'x'.repeat(million);
  for (let count = 0; count < 20; count++)
    await create(admin, 'companies', { name: `Leviathan ${count}`, description: text });
  for (const name of ['Leviathan I', 'Leviathan II'])
    await create(admin, 'books', { name, one: text, two: text, three: text, four: text });
});
afterAll(() => kith.stop());

async function sizes(
  query: object,
): Promise<{ bytes: number; shown: Record<string, [total: number, records: number]> }> {
  const reply = await admin.get('/search', { query: 'leviathan', limit: 50, ...query });
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  const groups: { objectName: string; total: number; records: unknown[] }[] = reply.json.results;
  expect(reply.json.total).toBe(groups.reduce((sum, { records }) => sum + records.length, 0));
  return {
    bytes: Buffer.byteLength(reply.text),
    shown: Object.fromEntries(
      groups
        .filter(({ total }) => total > 0)
        .map(({ objectName, total, records }) => [objectName, [total, records.length]]),
    ),
  };
}

it('SEAR-06: shows as many records as fit into the answer, and the real totals', async () => {
  const { bytes, shown } = await sizes({ object: 'companies' });
  expect(bytes).toBeLessThanOrEqual(megabytes16 + 1_000);
  expect(shown).toEqual({ companies: [20, 16] });
  expect((await sizes({ object: 'companies', offset: 16 })).shown).toEqual({ companies: [20, 4] });
});

it('SEAR-06: shares the answer among the objects, of which each shows a record at least', async () => {
  for (const limit of [50, 5, 1]) {
    const { bytes, shown } = await sizes({ limit });
    expect(bytes).toBeLessThanOrEqual(megabytes16);
    // A sixth of the answer is less than a book.
    expect(shown).toEqual({ companies: [20, Math.min(limit, 2)], books: [2, 1] });
  }
});
