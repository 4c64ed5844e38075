/** Changes beside data: what is kept, what is refused, what is taken on demand. [contract: Workspace manifest] */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/kith.ts';
import { example } from './example.ts';
import { applied, apply, create, useWorkspaces, withValue, type Loose } from './manifests.ts';

const { admin } = useWorkspaces();

describe('what would lose data', () => {
  async function stocked(): Promise<Client> {
    const client = await admin();
    await applied(client, example);
    const contact = await create(client, 'contacts', { first_name: 'Ann' });
    await create(client, 'projects', { name: 'One', stage: 'done', tags: ['a'], budget: 5, members: [contact['id']] });
    await create(client, 'projects', { name: 'Two', stage: 'new', code: '7' });
    return client;
  }
  const inProjects = (...fields: readonly object[]) => ({ objects: [{ name: 'projects', fields }] });

  it.each<[string, object, number]>([
    [
      'an object',
      {
        objects: [
          { name: 'projects', absent: true },
          { name: 'companies', fields: [{ name: 'project_total', absent: true }] },
        ],
      },
      2,
    ],
    ['a field', inProjects({ name: 'code', absent: true }), 1],
    ['links', inProjects({ name: 'members', absent: true }), 1],
    ['an option', inProjects({ name: 'stage', defaultValue: null, options: [{ value: 'new' }] }), 1],
    ['an option of several', inProjects({ name: 'tags', options: [] }), 1],
    ['values of another type', inProjects({ name: 'name', type: 'INTEGER', isSearchable: false }), 2],
    ['a target', inProjects({ name: 'members', relationConfig: { targetObjectName: 'companies' } }), 1],
    ['a step', { pipelines: [{ name: 'Delivery', objectName: 'projects', steps: [{ name: 'Build' }] }] }, 2],
    ['a pipeline', { pipelines: [{ name: 'Delivery', objectName: 'projects', absent: true }] }, 2],
  ])('is refused: %s', async (_, manifest, rows) => {
    const client = await stocked();
    const before = (await client.get('/manifest')).json;
    const records = (await client.get('/records/projects', { sort_by: 'name' })).text;
    const planned = await apply(client, manifest, '?dry_run=true');
    expect(
      planned.json.changes.some((change: { rows?: number }) => change.rows === rows),
      planned.text,
    ).toBe(true);
    const refused = await apply(client, manifest);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ code: 'DESTRUCTIVE_CHANGE' });
    expect(refused.json.message).toContain(`${rows} row`);
    expect((await client.get('/manifest')).json).toEqual(before);
    expect((await client.get('/records/projects', { sort_by: 'name' })).text).toBe(records);
    await applied(client, manifest, '?allow_destroy=true');
    expect(await applied(client, manifest)).toEqual([]);
    const pulled = (await client.get('/manifest')).json;
    expect(await applied(client, pulled)).toEqual([]);
  });

  it('is told one by one as far as anybody reads', async () => {
    const client = await admin();
    const names = Array.from({ length: 60 }, (_, at) => `f${at}`);
    const fields = (more: object) => ({
      objects: [{ name: 'items', fields: names.map((name) => ({ name, ...more })) }],
    });
    await applied(client, fields({ type: 'INTEGER' }));
    await create(client, 'items', Object.fromEntries(names.map((name) => [name, 1])));
    const { json } = await apply(client, fields({ absent: true }));
    expect(json.code).toBe('DESTRUCTIVE_CHANGE');
    expect(json.field_errors).toHaveLength(50);
    expect(json.field_errors[0].field).toBe('items.f0');
    expect(json.message).toMatch(/items\.f49 has a value in 1 row; and 10 more\. Nothing was changed$/);
  });

  it('takes only what it must', async () => {
    const client = await stocked();
    await applied(
      client,
      inProjects({ name: 'stage', defaultValue: null, options: [{ value: 'new' }] }),
      '?allow_destroy=true',
    );
    const { data } = (await client.get('/records/projects', { sort_by: 'name', sort_dir: 'asc' })).json;
    expect(data.map((record: Loose) => [record.name, record.stage])).toEqual([
      ['One', null],
      ['Two', 'new'],
    ]);
    await applied(client, inProjects({ name: 'tags', options: [] }), '?allow_destroy=true');
    expect((await client.get('/records/projects', { search: 'one' })).json.data[0].tags).toEqual([]);
  });

  it('is nothing where no row has a value: another set of options', async () => {
    const client = await admin();
    await applied(client, {
      objects: [
        {
          name: 'contacts',
          fields: [{ name: 'tags', label: 'Tags', type: 'MULTI_SELECT', options: [{ value: 'x', label: 'x' }] }],
        },
        {
          name: 'opportunities',
          fields: [{ name: 'stage', label: 'Stage', type: 'SELECT', options: [{ value: 'open' }] }],
        },
      ],
    });
    expect((await create(client, 'contacts', { first_name: 'A', tags: ['x'] }))['tags']).toEqual(['x']);
    expect((await client.post('/records/contacts', { tags: ['vip'] })).json.code).toBe('VALIDATION_ERROR');
  });
});

describe('changing fields that have values', () => {
  it('casts what another type can hold', async () => {
    const client = await admin();
    await applied(client, withValue('INTEGER', { isUnique: true }));
    const { id } = await create(client, 'items', { name: 'A', value: 3 });
    expect(await applied(client, withValue('DECIMAL'))).toEqual(['update field value']);
    expect((await client.get(`/records/items/${id}`)).json.record.value).toBe(3);
    expect((await client.post('/records/items', { value: 3 })).json.code).toBe('DUPLICATE_RECORD');
    await create(client, 'items', { name: 'B', value: 2.5 });
    const refused = await apply(client, withValue('INTEGER'));
    expect(refused.json).toMatchObject({ code: 'DESTRUCTIVE_CHANGE' });
    expect(refused.json.message).toContain('1 row');
  });

  it('makes a choice of a text, and several of one', async () => {
    const client = await admin();
    await applied(client, withValue('TEXT'));
    const { id } = await create(client, 'items', { name: 'A', value: 'red' });
    await applied(client, withValue('SELECT', { options: [{ value: 'red' }, { value: 'blue' }] }));
    expect(
      (await client.get('/records/items', { filters: { field: 'value', operator: 'equals', value: 'Red' } })).json
        .total,
    ).toBe(1);
    await applied(client, withValue('MULTI_SELECT'));
    expect((await client.get(`/records/items/${id}`)).json.record.value).toEqual(['red']);
  });

  it('makes unique only what is', async () => {
    const client = await admin();
    const unique = { objects: [{ name: 'companies', fields: [{ name: 'domain', isUnique: true }] }] };
    const emails = { objects: [{ name: 'contacts', fields: [{ name: 'emails', isUnique: true }] }] };
    await create(client, 'companies', { name: 'A', domain: 'https://a.test' });
    const twin = await create(client, 'companies', { name: 'B', domain: 'https://a.test' });
    expect((await apply(client, unique)).json).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('(1)'),
    });
    await client.delete(`/records/companies/${twin['id']}`);
    expect(await applied(client, unique)).toEqual(['update field domain']);
    expect((await client.post('/records/companies', { name: 'C', domain: 'https://a.test' })).json.code).toBe(
      'DUPLICATE_RECORD',
    );
    await create(client, 'contacts', { first_name: 'A', emails: ['x@y.test', 'z@y.test'] });
    expect(await applied(client, emails)).toEqual(['update field emails']);
    expect((await client.post('/records/contacts', { emails: ['Z@y.test'] })).json.code).toBe('DUPLICATE_RECORD');
  });

  it('finds by a field that has become searchable, and no more by one that is not', async () => {
    const client = await admin();
    const searchable = (isSearchable: boolean) => ({
      objects: [
        {
          name: 'items',
          fields: [
            { name: 'name', type: 'TEXT', isSearchable: true },
            { name: 'note', type: 'LONG_TEXT', isSearchable },
          ],
        },
      ],
    });
    await applied(client, searchable(false));
    await create(client, 'items', { name: 'Alpha', note: 'hidden treasure' });
    const found = async (search: string) => (await client.get('/records/items', { search })).json.total;
    expect(await found('treasure')).toBe(0);
    await applied(client, searchable(true));
    expect(await found('treasure')).toBe(1);
    expect(await found('alpha hidden')).toBe(1);
    await applied(client, searchable(false));
    expect(await found('treasure')).toBe(0);
    expect(await found('alpha')).toBe(1);
  });

  it('may make required what some rows lack: it counts for writes from then on', async () => {
    const client = await admin();
    const { id } = await create(client, 'contacts', { first_name: 'Ann' });
    await applied(client, { objects: [{ name: 'contacts', fields: [{ name: 'job_title', isRequired: true }] }] });
    expect((await client.put(`/records/contacts/${id}`, { first_name: 'Anna' })).status).toBe(200);
    expect((await client.post('/records/contacts', { first_name: 'Bob' })).json.code).toBe('VALIDATION_ERROR');
  });
});
