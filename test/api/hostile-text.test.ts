/** [spec: Records] Whatever is legal text is kept as it is, however odd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, condition, hostileNames, naughtyStrings } from '../support/hostile.ts';
import { startKith, type TestKith } from '../support/kith.ts';

const naughty = naughtyStrings();
let kith: TestKith;

beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());

describe('text that is legal', () => {
  const legal = [...new Set([...hostileNames, ...(naughty ?? [])])].filter(
    (value) => value !== '' && value.isWellFormed() && !value.includes('\0'),
  );

  it('comes back byte for byte, and a filter for it finds exactly it', { timeout: 60_000 }, async () => {
    const { admin: own } = await kith.organization();
    const ids = new Map<string, string>();
    await all(legal, async (value) => {
      const made = await own.post('/records/contacts', { first_name: value });
      expect([made.status, made.json.record?.first_name], JSON.stringify(value)).toEqual([200, value]);
      ids.set(value, made.json.id);
    });
    await all(
      legal.filter((value) => value.length < 2000),
      async (value) => {
        const found = await own.get('/records/contacts', {
          filters: condition('first_name', 'equals', value),
          fields: 'id,first_name',
        });
        expect(found.json.data, JSON.stringify(value)).toEqual([{ id: ids.get(value), first_name: value }]);
        const both = [condition('first_name', 'contains', value), condition('id', 'equals', ids.get(value))];
        const contains = await own.get('/records/contacts', {
          filters: { type: 'AND', conditions: both },
          fields: 'id',
        });
        expect(contains.json.data, JSON.stringify(value)).toEqual([{ id: ids.get(value) }]);
      },
    );
    const walked: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { json: page } = await own.get('/records/contacts', {
        sort_by: 'first_name',
        sort_dir: 'asc',
        limit: 50,
        cursor,
      });
      walked.push(...page.data.map((record: { id: string }) => record.id));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(walked.toSorted()).toEqual([...ids.values()].toSorted());
  });

  it('goes out and in again through an export', { timeout: 60_000 }, async () => {
    const [from, to] = [await kith.organization(), await kith.organization()];
    const made = await from.admin.post('/import/contacts', { records: legal.map((value) => ({ last_name: value })) });
    expect([made.json.created, made.json.failed]).toEqual([legal.length, 0]);
    const { records } = (await from.admin.get('/export/contacts', { fields: 'last_name' })).json;
    const again = await to.admin.post('/import/contacts', { records });
    expect([again.json.created, again.json.failed], JSON.stringify(again.json.errors)).toEqual([legal.length, 0]);
    const back = (await to.admin.get('/export/contacts', { fields: 'last_name' })).json.records;
    const values = (rows: { last_name: string }[]) => rows.map((row) => row.last_name).toSorted();
    // An import takes the white space around a text off.
    expect(values(back)).toEqual(values(legal.map((value) => ({ last_name: value }))));
  });
});
