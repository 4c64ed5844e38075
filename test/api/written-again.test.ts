/** The answer of a write shows other records as the write leaves them, also where they lead back to the record itself. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import { startKith, type Client, type TestKith } from '../support/kith.ts';
import { create } from './records.ts';

const toFolders = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'folders' };
const sum = { objectName: 'folders', relationField: 'parent_id', function: 'SUM', field: 'size' };
const all = { view: 'all', create: true, update: 'all', delete: 'all' };
const openOnly = {
  type: 'OR',
  conditions: [
    { field: 'name', operator: 'equals', value: 'root' },
    { field: 'parent_id.size', operator: 'greater_than', value: 10 },
  ],
};

let kith: TestKith;
let admin: Client;
let clerk: Client;
beforeAll(async () => {
  kith = await startKith();
  const organization = await kith.organization();
  ({ admin } = organization);
  const manifest = {
    objects: [
      {
        name: 'folders',
        fields: [
          { name: 'name', type: 'TEXT' },
          { name: 'size', type: 'INTEGER' },
          { name: 'parent_id', type: 'RELATION', relationConfig: toFolders },
          {
            name: 'children',
            type: 'RELATION',
            relationConfig: { ...toFolders, relationType: 'HAS_MANY', inverseField: 'parent_id' },
          },
          { name: 'inside', type: 'ROLLUP', rollup: sum },
        ],
      },
    ],
    roles: [{ name: 'Clerk', permissions: { '*': all, folders: { ...all, view: openOnly } } }],
  };
  await applied(admin, manifest);
  clerk = await organization.user('Clerk');
});
afterAll(() => kith.stop());

it('shows what comes into sight by the write itself', async () => {
  const root = await create(admin, 'folders', { name: 'root', size: 1 });
  await create(admin, 'folders', { name: 'leaf', size: 5, parent_id: root.id });
  const answer = await clerk.put(`/records/folders/${root.id}`, { size: 20 });
  expect(answer.json.record).toMatchObject({ children: [{ display: 'leaf' }], inside: 5 });
  expect(answer.json.record).toEqual((await clerk.get(`/records/folders/${root.id}`)).json.record);
  const hidden = await clerk.put(`/records/folders/${root.id}`, { size: 2 });
  expect(hidden.json.record).toEqual((await clerk.get(`/records/folders/${root.id}`)).json.record);
  expect(hidden.json.record).toMatchObject({ inside: null });
});

it('counts the record among its own children', async () => {
  const loop = await create(admin, 'folders', { name: 'loop', size: 7 });
  const answer = await admin.put(`/records/folders/${loop.id}`, { parent_id: loop.id, size: 8 });
  expect(answer.json.record).toMatchObject({ inside: 8, children: [{ id: loop.id }], parent_id_display: 'loop' });
});

it('leaves one history row, and is a CONFLICT as ever for another state', async () => {
  const folder = await create(admin, 'folders', { name: 'x', size: 1 });
  await admin.put(`/records/folders/${folder.id}`, { size: 2 });
  expect((await admin.get(`/records/folders/${folder.id}/history`)).json.total).toBe(2);
  const stale = await admin.put(`/records/folders/${folder.id}`, { size: 3 }, { 'if-match': '"none"' });
  expect(stale.status).toBe(412);
});
