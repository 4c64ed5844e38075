/** [spec: Bulk] Relations of many records, set, added and removed in one request. */
import { beforeEach, describe, expect, it } from 'vitest';
import { bulk, entriesOf, idsOf, inOrder, made, nobody, useBulkStage } from './bulk.ts';
import { apply, create, createAll, expectError } from './records.ts';
import { admin } from './stage.ts';

useBulkStage();

describe('add_relation', () => {
  let deals: string[];
  let people: string[];
  beforeEach(async () => {
    deals = await made('opportunities', 3);
    people = await made('contacts', 3);
  });
  const linksOf = async (id: string) =>
    (await admin.get(`/records/opportunities/${id}`)).json.record.contacts.map(
      (link: { id: string; role: string | null }) => [link.id, link.role],
    );

  it('BULK-06, BULK-07, BULK-08, BULK-13: adds links behind those that are there, which stay as they are', async () => {
    const [a = '', b = '', c = ''] = people;
    await admin.put(`/records/opportunities/${deals[0]}`, { contacts: [{ id: b, role: 'old' }] });
    const body = {
      action: 'add_relation',
      object_name: 'opportunities',
      relation_field: 'contacts',
      junction_data: { role: 'new' },
    };
    const { status, json } = await bulk({
      ...body,
      record_ids: [...deals, nobody],
      target_ids: [a, b, a.toUpperCase()],
    });
    expect([status, json]).toEqual([
      200,
      {
        action: 'add_relation',
        processed: 3,
        failed: 1,
        errors: [{ id: nobody, reason: expect.any(String) }],
        total: 4,
      },
    ]);
    expect(await linksOf(deals[0]!)).toEqual([
      [b, 'old'],
      [a, 'new'],
    ]);
    expect(await linksOf(deals[1]!)).toEqual([
      [a, 'new'],
      [b, 'new'],
    ]);
    const entries = await entriesOf(deals);
    expect(entries.filter(({ id }) => id === deals[1])).toHaveLength(1);
    await bulk({ ...body, record_ids: deals, target_ids: [a, b] });
    expect(await entriesOf(deals)).toHaveLength(entries.length);
    await bulk({ ...body, record_ids: deals, target_ids: [c] });
    expect((await linksOf(deals[0]!)).map(([id]: string[]) => id)).toEqual([b, a, c]);
  });

  it('a target that is not there, or not to be seen, fails each record; so does a wrong junction value', async () => {
    const body = {
      action: 'add_relation',
      object_name: 'opportunities',
      relation_field: 'contacts',
      record_ids: deals,
    };
    const missing = (await bulk({ ...body, target_ids: [people[0], nobody] })).json;
    expect(missing).toMatchObject({ processed: 0, failed: 3 });
    expect(missing.errors[0].reason).toBe('contacts must be the id of a record of contacts');
    const wrong = (await bulk({ ...body, target_ids: [people[0]], junction_data: { rank: 1 } })).json;
    expect(wrong).toMatchObject({ processed: 0, failed: 3 });
    expect(await linksOf(deals[0]!)).toEqual([]);
  });

  it('a relation to one record is set to the one target; several are an error', async () => {
    const [company = '', other = ''] = await made('companies', 2);
    const body = {
      action: 'add_relation',
      object_name: 'opportunities',
      relation_field: 'company_id',
      record_ids: deals,
    };
    expect((await bulk({ ...body, target_ids: [company] })).json).toMatchObject({ processed: 3, failed: 0, total: 3 });
    expect((await admin.get(`/records/opportunities/${deals[2]}`)).json.record.company_id).toBe(company);
    expectError(await bulk({ ...body, target_ids: [company, other] }), 'VALIDATION_ERROR');
    expectError(await bulk({ ...body, target_ids: [company], junction_data: { role: 'x' } }), 'VALIDATION_ERROR');
    const projects = await made('projects', 2);
    const about = {
      action: 'add_relation',
      object_name: 'projects',
      relation_field: 'about',
      record_ids: projects,
      target_ids: [company],
    };
    expectError(await bulk(about), 'MISSING_REQUIRED_FIELD');
    expect((await bulk({ ...about, target_object: 'companies' })).json).toMatchObject({ processed: 2 });
    expect((await admin.get(`/records/projects/${projects[0]}`)).json.record.about).toEqual({
      object: 'companies',
      id: company,
    });
    for (const relation_field of ['about', 'company_id'])
      expect((await bulk({ ...about, relation_field, target_object: 'opportunities' })).json).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^target_object is "opportunities": \w+ leads to .*companies/),
      });
    await bulk({ ...about, relation_field: 'company_id' });
    const stranger = await bulk({ ...about, relation_field: 'contact_id', target_ids: [people[0]] });
    expect(stranger.json).toMatchObject({ processed: 0, failed: 2 });
    const { id } = await create(admin, 'contacts', { last_name: 'Inside', company_id: company });
    expect((await bulk({ ...about, relation_field: 'contact_id', target_ids: [id] })).json).toMatchObject({
      processed: 2,
    });
  });
});

describe('remove_relation', () => {
  it('BULK-06, BULK-14: takes links away, and counts those that went', async () => {
    const people = await made('contacts', 3);
    const [a = '', b = '', c = ''] = people;
    const deals = idsOf(
      await createAll(admin, 'opportunities', [
        { name: 'A', contacts: [{ id: a, role: 'first' }, b] },
        { name: 'B', contacts: [c] },
        { name: 'C', contacts: [b, c] },
      ]),
    );
    const body = { action: 'remove_relation', object_name: 'opportunities', relation_field: 'contacts' };
    const { json } = await bulk({ ...body, record_ids: deals, target_ids: [a, b] });
    expect(json).toEqual({ action: 'remove_relation', removed: 3, failed: 0, errors: [], total: 6 });
    const left = await Promise.all(
      deals.map(async (id) => (await admin.get(`/records/opportunities/${id}`)).json.record.contacts.length),
    );
    expect(left).toEqual([0, 1, 1]);
    const entries = await entriesOf(deals);
    expect(inOrder(entries.map(({ id }) => id))).toEqual(inOrder([deals[0], deals[2]]));
    expect(entries.find(({ id }) => id === deals[0])?.links).toContain('first');
    expect((await bulk({ ...body, record_ids: deals, target_ids: [a, nobody, 'x'] })).json).toMatchObject({
      removed: 0,
      failed: 0,
      total: 9,
    });
  });

  it('BULK-06: takes a MANY_TO_MANY alone', async () => {
    const record_ids = await made('opportunities', 1);
    const body = { action: 'remove_relation', object_name: 'opportunities', record_ids, target_ids: [nobody] };
    const reply = await bulk({ ...body, relation_field: 'company_id' });
    expectError(reply, 'INVALID_FIELD');
    expect(reply.json.available_values).toEqual(['contacts']);
    expect(reply.json.message).toBe('company_id is no MANY_TO_MANY of opportunities, which remove_relation takes');
    expectError(await bulk({ ...body, relation_field: 'name' }), 'INVALID_FIELD');
    const added = await bulk({ ...body, action: 'add_relation', relation_field: 'name' });
    expectError(added, 'INVALID_FIELD');
    expect(added.json.message).toBe('name is no relation of opportunities, which add_relation takes');
    expect(added.json.available_values).toEqual(expect.arrayContaining(['company_id', 'contacts']));
    expectError(await bulk({ ...body, relation_field: 'nothing' }), 'INVALID_FIELD');
  });

  it('BULK-06: leaves a record its last link of a required field, and takes the links of the others', async () => {
    const members = {
      name: 'members',
      label: 'Members',
      type: 'MANY_TO_MANY',
      isRequired: true,
      relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    };
    const name = { name: 'name', label: 'Name', type: 'TEXT' };
    const teams = {
      name: 'teams',
      label: 'Teams',
      labelSingular: 'Team',
      displayField: 'name',
      fields: [name, members],
    };
    await apply(admin, { objects: [teams] });
    const [a = '', b = ''] = await made('contacts', 2);
    const given = [[a], [a, b], [b]].map((ids, at) => ({ name: `Team ${at}`, members: ids }));
    const ids = idsOf(await createAll(admin, 'teams', given));
    const left = async () =>
      Promise.all(
        ids.map(async (id) =>
          (await admin.get(`/records/teams/${id}`)).json.record.members.map((link: { id: string }) => link.id),
        ),
      );
    const body = { action: 'remove_relation', object_name: 'teams', relation_field: 'members', target_ids: [a] };
    const errors = [{ id: ids[0], reason: 'members is required' }];
    expect((await bulk({ ...body, record_ids: ids })).json).toMatchObject({ removed: 1, failed: 1, errors });
    expect(await left()).toEqual([[a], [b], [b]]);
    const filters = { type: 'AND', conditions: [{ field: 'name', operator: 'equals', value: 'Team 0' }] };
    const matching = await bulk({ ...body, filters, expected_count: 1 });
    expect(matching.json).toMatchObject({ removed: 0, failed: 1, errors });
    expect(await left()).toEqual([[a], [b], [b]]);
  });
});
