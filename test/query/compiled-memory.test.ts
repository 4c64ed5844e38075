/** What is compiled for the users of roles takes about what it is counted as, and no more than its bound. */
import { expect, it } from 'vitest';
import { forgetPolicies, policiesFor } from '../../src/access/policies.ts';
import { cacheSizes } from '../../src/lib/caches.ts';
import { buildModel } from '../../src/model/build.ts';
import { builtInModel } from '../../src/model/built-ins.ts';
import { join, sql, statement } from '../../src/postgres/sql.ts';
import type { QueryContext } from '../../src/query/context.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import { noMemory } from '../../src/query/known-list.ts';
import { planGet } from '../../src/query/plan-get.ts';
import { planList } from '../../src/query/plan-list.ts';
import { selectRecord } from '../../src/query/selection.ts';
import { forgetCompiled } from '../../src/query/timeless.ts';
import { newId } from '../../src/lib/id.ts';
import { objectNamed } from './world.ts';
import { heapUsed } from '../support/heap.ts';

const names = ['policies', 'selections', 'gets', 'lists', 'list_texts'];
const model = buildModel(
  { id: newId(), schema: 'org_x' },
  builtInModel({ name: 'X', currency: 'EUR', timezone: 'UTC' }),
);

const signer = cursorSigners(Buffer.alloc(32))(model.organizationId);

function readAs(roleName: string, user: number): void {
  const role = model.roles.values().find(({ name }) => name === roleName);
  if (!role) throw new Error(`There is no role ${roleName}`);
  const visibility = policiesFor({ role, workspaceUserId: `user ${user}`, scopes: [] }, model);
  const context = { model, visibility, me: `user ${user}`, now: 0, timeZone: 'UTC' };
  for (const name of ['contacts', 'companies', 'opportunities']) {
    const object = objectNamed(model, name);
    selectRecord(object, context, 'r', 'read');
    planGet(context, object, newId());
    for (const search of ['ada', 'grace', 'alan'])
      planList(context, object, { where: [], search, sort: [], limit: 20 }, signer, noMemory);
  }
}

const sizes = () => names.map((name) => cacheSizes().get(name));
const held = () => sizes().reduce((sum, size) => sum + (size?.bytes ?? 0), 0);

it('for thousands of users of two roles', async () => {
  for (const role of ['Member', 'Viewer']) for (let user = 0; user < 20; user++) readAs(role, user);
  const before = await heapUsed();
  const counted = held();
  for (const role of ['Member', 'Viewer']) for (let user = 20; user < 50; user++) readAs(role, user);
  const [grownHeap, grown] = [(await heapUsed()) - before, held() - counted];
  expect(grownHeap / grown).toBeGreaterThan(0.5);
  expect(grownHeap / grown).toBeLessThan(2);

  for (const role of ['Member', 'Viewer']) for (let user = 50; user < 2_000; user++) readAs(role, user);
  for (const size of sizes()) expect(size?.bytes).toBeLessThanOrEqual((size?.maxBytes ?? 0) / 4);
  // What one cache has dropped, no other holds.
  expect(((await heapUsed()) - before) / (held() - counted)).toBeLessThan(2);

  forgetPolicies(model.organizationId);
  forgetCompiled(model.organizationId);
  expect(sizes().map((size) => size?.entries)).toEqual(names.map(() => 0));
});

it('not over links as they were, which one statement alone reads', () => {
  const [role] = model.roles.values();
  const object = model.objects.get('opportunities');
  const links = object?.fields.find(({ name }) => name === 'contacts');
  if (!role || !object || !links) throw new Error('The built-in objects have changed');
  const now = {
    model,
    visibility: policiesFor({ role, workspaceUserId: 'user', scopes: [] }, model),
    me: 'user',
    now: 0,
    timeZone: 'UTC',
  };
  const then = { ...now, linkTables: new Map([[links.id, sql`past_links`]]) };
  const text = (context: QueryContext) =>
    statement(sql`select ${join(selectRecord(object, context, 'r', 'detail').columns, ', ')}`).text;
  for (const context of [then, now, then]) expect(text(context).includes('past_links')).toBe(context === then);
});

it('once for all admins, but where an object hides rows from some of them', () => {
  const role = model.roles.values().find(({ isAdmin }) => isAdmin);
  if (!role) throw new Error('There is no admin');
  forgetCompiled(model.organizationId);
  const read = (name: string) => {
    for (const me of [newId(), newId(), newId()])
      planGet(
        {
          model,
          visibility: policiesFor({ role, workspaceUserId: me, scopes: [] }, model),
          me,
          now: 0,
          timeZone: 'UTC',
        },
        objectNamed(model, name),
        newId(),
      );
    return cacheSizes().get('gets')?.entries;
  };
  expect([read('contacts'), read('notes'), read('tasks')]).toEqual([1, 4, 5]);
});
