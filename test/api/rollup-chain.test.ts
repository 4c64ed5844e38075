/** [contract: Workspace manifest] ROLLUPs of ROLLUPs: three are summed, a fourth is refused. */
import { expect, it } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import { create, expectError, list } from './records.ts';
import { admin, useStage } from './stage.ts';

/** Each object but the last sums up the next; `levels` of them are ROLLUPs. */
const chain = ['regions', 'sites', 'rooms', 'shelves', 'boxes'];
function summed(levels: number) {
  const objects = chain.slice(0, levels + 1).map((name, at) => {
    const [above, below] = [chain[at - 1], chain[at + 1]];
    const rollup = { objectName: below, relationField: 'parent', function: 'SUM', field: 'weight' };
    return {
      name,
      fields: [
        { name: 'name', type: 'TEXT' },
        ...(above ? [{ name: 'parent', type: 'RELATION', relationConfig: { targetObjectName: above } }] : []),
        at === levels ? { name: 'weight', type: 'DECIMAL' } : { name: 'weight', type: 'ROLLUP', rollup },
      ],
    };
  });
  return { objects };
}

useStage(async () => {
  await applied(admin, summed(3));
});

it('a sum of sums of sums is read, filtered, sorted, aggregated, and follows the lowest record', async () => {
  const weights: Record<string, readonly number[]> = { North: [1, 2], South: [10], Empty: [] };
  let lowest = '';
  for (const [name, each] of Object.entries(weights)) {
    const { id: region } = await create(admin, 'regions', { name });
    for (const weight of each) {
      const { id: site } = await create(admin, 'sites', { name, parent: region });
      const { id: room } = await create(admin, 'rooms', { name, parent: site });
      for (const half of [weight, 0.5])
        ({ id: lowest } = await create(admin, 'shelves', { name, parent: room, weight: half }));
    }
  }
  const heavy = { filter_field: 'weight', filter_operator: 'greater_than', filter_value: '3' };
  const seen = async () => {
    const sorted = await list(admin, 'regions', { sort_by: 'weight', sort_dir: 'desc' });
    return {
      sorted: sorted.map(({ name, weight }) => [name, weight]),
      heavy: (await admin.get('/records/regions', { ...heavy, limit: 1 })).json.total,
      sum: (await admin.get('/aggregate/regions', { field: 'weight', function: 'SUM' })).json.value,
    };
  };
  const before = {
    sorted: [
      ['South', 10.5],
      ['North', 4],
      ['Empty', null],
    ],
    heavy: 2,
    sum: 14.5,
  };
  expect([await seen(), await seen()]).toEqual([before, before]);
  expect((await admin.put(`/records/shelves/${lowest}`, { weight: -8 })).status).toBe(200);
  expect(await seen()).toEqual({
    sorted: [
      ['North', 4],
      ['South', 2],
      ['Empty', null],
    ],
    heavy: 1,
    sum: 6,
  });
});

it('a fourth is refused, at its place', async () => {
  const reply = await admin.post('/manifest', summed(4));
  expectError(reply, 'VALIDATION_ERROR');
  expect(reply.text).toContain('is a ROLLUP within more than 2 others');
});
