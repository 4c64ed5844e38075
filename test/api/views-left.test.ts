/** What is left of a view where fields are gone or hidden, and what follows them where they are renamed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applied } from '../manifest/manifests.ts';
import type { Client, Reply, TestKith, TestOrganization } from '../support/kith.ts';
import { expectError } from './records.ts';
import {
  all,
  any,
  clearViews,
  condition,
  deals,
  destroying,
  everything,
  make as makeAs,
  rich,
  seen,
  startViews,
} from './views.ts';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let ben: Client;
let clerk: Client;

beforeAll(async () => {
  ({ kith, organization, ada, ben, clerk } = await startViews());
});
afterAll(() => kith.stop());
beforeEach(() => clearViews([ada, ben, clerk]));

const make = (given: object, client = ada) => makeAs(given, client);

describe('what is left of a view', () => {
  it('for a role that sees less: nothing tells of a hidden field, and the rest can be used', async () => {
    const { id } = await make({ ...rich, is_shared: true });
    const view = await seen(clerk, id);
    expect(view).toMatchObject({
      layout: 'board',
      columns: [{ field: 'name', width: 240 }],
      filters: all(
        condition('stage', 'in', ['open', 'won']),
        any(all(condition('name', 'is_not_empty'), condition('company', 'is_null'))),
      ),
      sort: [],
      group_by: 'stage',
      totals: null,
      is_partial: true,
      unavailable: [],
    });
    for (const path of [`/views/${id}`, '/views', '/views?object=deals'])
      expect((await clerk.get(path)).text).not.toMatch(/worth|company\.name|greater_than/);
    const query = { filters: JSON.stringify(view.filters), fields: 'name', group_by: view.group_by };
    expect((await clerk.get('/records/deals', query)).json.counts).toEqual({ open: 1, won: 1 });
  });

  it('a filter of hidden fields alone is none', async () => {
    const filters = any(condition('worth', 'equals', 4711), all(condition('company.name', 'equals', 'Secret')));
    const { id } = await make({ filters, columns: [{ field: 'worth' }], group_by: 'worth', is_shared: true });
    const { text, json } = await clerk.get(`/views/${id}`);
    expect(json).toMatchObject({ filters: null, columns: null, group_by: null, is_partial: true, unavailable: [] });
    expect(text).not.toMatch(/4711|Secret|worth/);
  });

  it('tells a hidden field just as one that is gone, to all but admins', async () => {
    await applied(ada, deals([{ name: 'passing', type: 'NUMBER' }]));
    const gone = await make({ name: 'v', columns: [{ field: 'passing' }], totals: 'passing', is_shared: true });
    const hidden = await make({ name: 'v', columns: [{ field: 'worth' }], totals: 'worth', is_shared: true });
    await applied(ada, { objects: [{ name: 'deals', fields: [{ name: 'passing', absent: true }] }] }, destroying);
    const plain = ({ columns, totals, is_partial, unavailable }: Reply['json']) => ({
      columns,
      totals,
      is_partial,
      unavailable,
    });
    expect(plain(await seen(clerk, gone.id))).toEqual(plain(await seen(clerk, hidden.id)));
    expect(plain(await seen(ben, gone.id))).toEqual({ columns: null, totals: null, is_partial: true, unavailable: [] });
    expect(await seen(ada, gone.id)).toMatchObject({ is_partial: true, unavailable: ['passing'] });
    // Another field of that name is not what the view was of.
    await applied(ada, deals([{ name: 'passing', type: 'NUMBER' }]));
    expect(await seen(ada, gone.id)).toMatchObject({ columns: null, is_partial: true });
    await applied(ada, { objects: [{ name: 'deals', fields: [{ name: 'passing', absent: true }] }] }, destroying);
  });

  it('follows fields and objects that are renamed', async () => {
    const { id } = await make({ ...rich, is_shared: true });
    await applied(ada, {
      objects: [
        { name: 'chances', renamedFrom: 'deals', fields: [{ name: 'price', renamedFrom: 'worth', type: 'NUMBER' }] },
      ],
    });
    const view = await seen(ada, id);
    expect(view).toMatchObject({
      object_name: 'chances',
      columns: [{ field: 'name', width: 240 }, { field: 'price' }, { field: 'company.name', width: 120 }],
      totals: 'price',
      is_partial: false,
    });
    expect(view.sort[0]).toEqual({ field: 'price', direction: 'desc' });
    expect(view.filters.conditions[1].conditions[0]).toEqual(condition('price', 'greater_than', 5));
    expect((await clerk.get(`/views/${id}`)).text).not.toMatch(/worth|price/);
    await applied(ada, {
      objects: [
        { name: 'deals', renamedFrom: 'chances', fields: [{ name: 'worth', renamedFrom: 'price', type: 'NUMBER' }] },
      ],
    });
    expect(await seen(ada, id)).toMatchObject(rich);
  });

  it('tells which field is of another type by now', async () => {
    await applied(
      ada,
      deals([
        { name: 'size', type: 'NUMBER' },
        { name: 'due', type: 'DATE' },
      ]),
    );
    const filters = any(condition('due', 'date_today'), condition('stage', 'equals', 'open'));
    const { id } = await make({ filters, totals: 'size', columns: [{ field: 'size' }], is_shared: true });
    await applied(
      ada,
      deals([
        { name: 'size', type: 'TEXT' },
        { name: 'due', type: 'TEXT' },
      ]),
      destroying,
    );
    expect(await seen(ben, id)).toMatchObject({
      columns: [{ field: 'size' }],
      filters: any(condition('stage', 'equals', 'open')),
      totals: null,
      is_partial: true,
      unavailable: ['due', 'size'],
    });
  });

  it('a change of the rest keeps what its owner does not see by now', async () => {
    const eve = await organization.user('Member');
    const { id } = await make(rich, eve);
    const { roles } = (await ada.get('/manifest')).json;
    const before = roles.find(({ name }: { name: string }) => name === 'Member');
    const entry = { ...everything, fields: { worth: 'none' } };
    const member = { name: 'Member', permissions: { ...before.permissions, deals: entry } };
    await applied(ada, { roles: [member] });
    const changed = await eve.put(`/views/${id}`, { columns: [{ field: 'name' }], name: 'Mine' });
    expect(changed.json).toMatchObject({
      name: 'Mine',
      columns: [{ field: 'name' }],
      sort: [{ field: 'company.name', direction: 'asc' }],
      is_partial: true,
    });
    await applied(ada, { roles: [{ ...before, permissions: { ...before.permissions, deals: everything } }] });
    expect(await seen(eve, id)).toMatchObject({
      ...rich,
      name: 'Mine',
      columns: [{ field: 'name' }],
      is_partial: false,
    });
  });

  it('nothing, where the object is gone', async () => {
    await applied(ada, { objects: [{ name: 'things', fields: [{ name: 'name', type: 'TEXT' }] }] });
    const { id } = await make({ object_name: 'things', is_shared: true });
    await applied(ada, { objects: [{ name: 'things', absent: true }] }, destroying);
    expectError(await ada.get(`/views/${id}`), 'RECORD_NOT_FOUND');
    expect((await ada.get('/views')).json).toEqual({ data: [], total: 0 });
  });
});
