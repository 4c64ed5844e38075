import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whole } from '../../src/lib/long-text.ts';
import { newId } from '../../src/lib/id.ts';
import type { FilterGroup } from '../../src/model/model.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import type { QueryContext } from '../../src/query/context.ts';
import { cursorSigners } from '../../src/query/cursor.ts';
import { planExport } from '../../src/query/plan-export.ts';
import type { ListRequest } from '../../src/query/plan.ts';
import { openWorld, refusal, where, type Asking, type Rule } from './asking.ts';
import { userName, users, type Stored } from './world.ts';

let asking: Asking;
const signer = cursorSigners(Buffer.alloc(32, 1))('organization');

beforeAll(async () => {
  asking = await openWorld();
});
afterAll(() => asking.test.drop());

describe('a record', () => {
  it('shows its fields in the order of the model, with labels beside ids', async () => {
    const row = asking.thing(
      ({ values }) => values['owner'] !== null && values['company_id'] !== null && values['phase'] !== null,
    );
    const found = await asking.get(asking.contextOf(), row.id);
    expect(Object.keys(found?.record ?? {})).toEqual([
      'id',
      'name',
      'note',
      'secret',
      'size',
      'amount',
      'price',
      'active',
      'day',
      'moment',
      'color',
      'tags',
      'emails',
      'site',
      'company_id',
      'company_id_display',
      'owner',
      'owner_display',
      'people',
      'pipeline_id',
      'pipeline_id_display',
      'pipeline_step_id',
      'pipeline_step_id_display',
      'pipeline_step_entered_at',
      'created_at',
      'updated_at',
    ]);
    const target = asking.company(row.values['company_id']);
    expect(found?.record).toMatchObject({
      id: row.id,
      name: row.values['name'],
      company_id: target.id,
      company_id_display: target.deleted ? null : target.values['name'],
      owner_display: userName(users.indexOf(String(row.values['owner']))),
      pipeline_id_display: 'Way',
      created_at: row.createdAt,
    });
    expect(found?.lists).toBeNull();
  });

  it('is not there in the trash, outside the role, or for a random id', async () => {
    const row = asking.thing(() => true);
    const trashed = asking.world.things.find(({ deleted }) => deleted)?.id ?? '';
    expect(await asking.get(asking.contextOf(), row.id)).toBeDefined();
    expect(await asking.get(asking.contextOf(), trashed)).toBeUndefined();
    expect(await asking.get(asking.contextOf({ things: 'none' }), row.id)).toBeUndefined();
    expect(await asking.get(asking.contextOf({ things: where('id', 'not_equals', row.id) }), row.id)).toBeUndefined();
    expect(await asking.get(asking.contextOf(), newId())).toBeUndefined();
  });

  it('names the lists that it is on', async () => {
    const row = asking.thing(() => true);
    const [listId, entryId, fieldId] = [newId(), newId(), newId()];
    const fields = JSON.stringify([{ id: fieldId, name: 'a', label: 'A', type: 'DECIMAL' }]);
    const values = JSON.stringify({ [fieldId]: 1.1, [newId()]: 'of a field that is gone' });
    const table = (name: string) => identifier(asking.world.model.schema, name);
    await asking.test.database.run(
      'test',
      statement(sql`insert into ${table('_lists')} (id, name, object_types, fields, created_at, updated_at)
      values (${listId}::uuid, 'Hot', '{}', ${fields}::jsonb, now(), now())`),
    );
    await asking.test.database.run(
      'test',
      statement(sql`insert into ${table('_list_entries')} (id, list_id, object_id, record_id, entry_fields, created_at)
      values (${entryId}::uuid, ${listId}::uuid, ${asking.things.id}::uuid, ${row.id}::uuid, ${values}::jsonb, now())`),
    );
    expect((await asking.get(asking.contextOf(), row.id))?.lists).toEqual([
      { list_id: listId, list_name: 'Hot', entry_id: entryId, entry_fields: { a: 1.1 } },
    ]);
  });

  it('keeps links to records that the role may not see, or that is in the trash, without their labels', async () => {
    const row = asking.thing(({ values }) => Array.isArray(values['people']) && values['people'].length > 4);
    const targets = Array.isArray(row.values['people']) ? row.values['people'].map(asking.company) : [];
    expect(targets.filter(({ deleted }) => deleted)).not.toEqual([]);
    const links = (label: (target: Stored) => unknown) =>
      targets.map((target, at) => ({
        id: target.id,
        display: target.deleted ? null : label(target),
        role: `role ${at}`,
      }));
    const people = async (context: QueryContext) => (await asking.get(context, row.id))?.record.people;
    const rule = where('size', 'equals', 1);

    expect(await people(asking.contextOf())).toEqual(links(({ values }) => values['name']));
    expect(await people(asking.contextOf({ companies: rule }))).toEqual(
      links(({ values }) => (values['size'] === 1 ? values['name'] : null)),
    );
    expect(await people(asking.contextOf({ companies: 'none' }))).toEqual(links(() => null));
    expect(await people(asking.contextOf({}, { companies: ['name'] }))).toEqual(links(() => null));
  });

  it('can be trimmed, also through a relation', async () => {
    const row = asking.thing(
      ({ values }) => values['company_id'] !== null && !asking.company(values['company_id']).deleted,
    );
    const target = asking.company(row.values['company_id']);
    const fields = ['amount', 'company_id.name', 'phase'];
    expect((await asking.get(asking.contextOf(), row.id, fields))?.record).toMatchObject({
      'company_id.name': target.values['name'],
    });
    expect(Object.keys((await asking.get(asking.contextOf(), row.id, fields))?.record ?? {})).toEqual([
      'id',
      'amount',
      'company_id.name',
      'pipeline_id',
      'pipeline_id_display',
      'pipeline_step_id',
      'pipeline_step_id_display',
      'pipeline_step_entered_at',
    ]);
    const blind = asking.contextOf({ companies: where('id', 'not_equals', target.id) });
    expect((await asking.get(blind, row.id, fields))?.record['company_id.name']).toBeNull();
  });
});

describe('a list', () => {
  const few = { where: [where('amount', 'greater_than', 0)] };

  it('tells the total of an empty page, and none follows', async () => {
    const page = await asking.list(asking.contextOf({ things: 'none' }), {});
    expect(page).toEqual({
      total: 0,
      rows: expect.any(Number),
      data: '[]',
      found: {
        total: expect.objectContaining({ version: expect.stringMatching(/^\d+$/), total: 0 }),
        page: { foundAt: expect.stringMatching(/^\d+$/), ids: [] },
        textVersion: expect.stringMatching(/^\d+$/),
      },
      isTooLarge: false,
      isUnfinished: false,
      shown: 0,
    });
  });

  it('takes the total from the counted rows when nothing is asked', async () => {
    const page = await asking.list(asking.contextOf(), {});
    const plan = asking.plan(asking.contextOf(), {});
    expect(plan.keys.cacheKey).toBeUndefined();
    expect(page.total).toBe(asking.world.things.filter(({ deleted }) => !deleted).length);
  });

  it('counts again only when something that it reads has changed', async () => {
    const first = await asking.list(asking.contextOf(), few);
    const wrong = { version: first.found.total.version, total: 12_345, rows: first.rows, matches: null };
    expect(first.total).toBeGreaterThan(0);
    expect((await asking.list(asking.contextOf(), few, wrong)).total).toBe(12_345);
    await asking.touch('companies');
    expect((await asking.list(asking.contextOf(), few, wrong)).total).toBe(12_345);
    await asking.touch('things');
    expect((await asking.list(asking.contextOf(), few, wrong)).total).toBe(first.total);
  });

  it.each<[string, Partial<ListRequest>, Record<string, Rule>]>([
    ['a path', { where: [where('company_id.name', 'is_not_null')] }, {}],
    ['the rule of the role', {}, { things: where('company_id.size', 'equals', 1) }],
  ])('counts again when %s leads to something that has changed', async (_, request, rules) => {
    const page = await asking.list(asking.contextOf(rules), request);
    const wrong = { version: page.found.total.version, total: 12_345, rows: page.rows, matches: null };
    expect((await asking.list(asking.contextOf(rules), request, wrong)).total).toBe(12_345);
    await asking.touch('companies');
    expect((await asking.list(asking.contextOf(rules), request, wrong)).total).toBe(page.total);
  });

  it('remembers apart what is asked, by whom, and under which epoch', () => {
    const other = { ...asking.world.model, epoch: '2' };
    const keys = [
      asking.plan(asking.contextOf(), few).keys.cacheKey,
      asking.plan(asking.contextOf(), { where: [where('amount', 'greater_than', 1)] }).keys.cacheKey,
      asking.plan(asking.contextOf(), { ...few, search: 'ada' }).keys.cacheKey,
      asking.plan(asking.contextOf({ things: where('owner', 'equals', users[0] ?? '') }), few).keys.cacheKey,
      asking.plan({ ...asking.contextOf(), model: other }, few).keys.cacheKey,
    ];
    expect(new Set(keys).size).toBe(keys.length);
    const sort = [{ field: 'name', direction: 'asc' as const }];
    const again = asking.plan(asking.contextOf(), { ...few, limit: 3, sort }).keys.cacheKey;
    expect(again).toBe(keys[0]);
  });

  it('goes on with another page size, but not with another query', async () => {
    const page = await asking.list(asking.contextOf(), { limit: 4 });
    const cursor = page.nextCursor ?? '';
    const rest = await asking.list(asking.contextOf(), { limit: 1000, cursor });
    expect(JSON.parse(whole(page.data)).length + JSON.parse(whole(rest.data)).length).toBe(page.total);
    const asked = [few, { search: 'ada' }, { sort: [{ field: 'created_at', direction: 'asc' as const }] }];
    for (const request of asked)
      await expect(asking.list(asking.contextOf(), { ...request, cursor })).rejects.toThrow(
        'cursor belongs to another query',
      );
  });

  it('reads the rows of the search index only for text that it holds whole', () => {
    const reads = (group: FilterGroup) =>
      asking
        .plan(asking.contextOf(), { where: [group], sort: [], limit: 1 })
        .statement.text.includes('search_text like');
    expect(reads(where('name', 'contains', 'lovelace'))).toBe(true);
    expect(reads(where('name', 'ilike', 'x_y%ace'))).toBe(true);
    expect(reads(where('name', 'ilike', 'a_b%c'))).toBe(false);
    expect(reads(where('name', 'starts_with', 'Lo'))).toBe(false);
    expect(reads(where('note', 'contains', 'lovelace'))).toBe(false);
    expect(reads(where('color', 'contains', 'lovelace'))).toBe(false);
    expect(reads(where('name', 'equals', 'lovelace'))).toBe(true);
    expect(reads(where('name', 'equals', 'Lo'))).toBe(false);
    expect(reads(where('name', 'not_equals', 'lovelace'))).toBe(false);
    expect(reads(where('note', 'equals', 'lovelace'))).toBe(false);
  });

  it('finds nothing where nothing is searchable, and everything for no words', async () => {
    const all = (await asking.list(asking.contextOf(), {})).total;
    const searchable = ['name', 'note', 'secret', 'emails', 'site'];
    expect((await asking.list(asking.contextOf(), { search: ' \t ' })).total).toBe(all);
    expect((await asking.list(asking.contextOf({}, { things: searchable }), { search: 'ada' })).total).toBe(0);
    await expect(asking.list(asking.contextOf(), { search: 'x'.repeat(501) })).rejects.toThrow(
      'search takes at most 500 characters',
    );
  });

  it.each<[string, FilterGroup, object]>([
    [
      'an operator',
      where('active', 'contains', 'x'),
      { code: 'VALIDATION_ERROR', availableValues: expect.arrayContaining(['is_true', 'equals']) },
    ],
    [
      'a value',
      where('size', 'equals', 'many'),
      {
        code: 'VALIDATION_ERROR',
        fieldErrors: [{ field: 'size', message: 'must be a number such as 1200.5, not "many"' }],
      },
    ],
    ['a path that is none', where('name.length', 'equals', 1), { code: 'INVALID_FIELD' }],
  ])('refuses %s that does not fit', (_, group, expected) => {
    const error = refusal(() => asking.plan(asking.contextOf(), { where: [group], sort: [], limit: 1 }));
    expect(error).toMatchObject(expected);
  });

  it('refuses to sort by what has no order, and says what has one', () => {
    const error = refusal(() =>
      asking.plan(asking.contextOf({}, { things: ['secret'] }), {
        where: [],
        sort: [{ field: 'tags', direction: 'asc' }],
        limit: 1,
      }),
    );
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.availableValues).toEqual(expect.arrayContaining(['name', 'created_at', 'pipeline_step_id']));
    expect(error.availableValues).not.toEqual(expect.arrayContaining(['people', 'tags', 'secret']));
  });
});

describe('an export', () => {
  it('has the keys that were asked for, as they were asked for, with labels for ids', async () => {
    const row = asking.thing(({ values }) => values['owner'] !== null);
    const fields = ['owner', 'name', 'price', 'owner'];
    const asked = { where: [where('id', 'equals', row.id)], sort: [], limit: 5, fields };
    const plan = planExport(asking.contextOf(), asking.things, asked, signer);
    const { rows } = await asking.test.database.run('test', plan.statement);
    const owner = userName(users.indexOf(String(row.values['owner'])));
    expect(plan.keys).toEqual(['owner', 'name', 'price']);
    expect(rows.map((cells) => JSON.parse(plan.json(cells)))).toMatchObject([{ owner, name: row.values['name'] }]);
    expect(rows.map((cells) => plan.cells(cells).slice(0, 2))).toEqual([[owner, row.values['name'] ?? '']]);
  });

  it('stops at its limit', async () => {
    const plan = planExport(asking.contextOf(), asking.things, { where: [], sort: [], limit: 7 }, signer);
    expect((await asking.test.database.run('test', plan.statement)).rows).toHaveLength(7);
  });
});
