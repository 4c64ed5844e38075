/** [spec: Record (generic), Records] One record: create, get, update, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, expectError, fieldsIn, makeUnique, timestamp, uuid } from './records.ts';

const nobody = '01890000-0000-7000-8000-000000000000';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ adminName: 'Ada Admin', currency: 'CHF' });
  admin = organization.admin;
});
afterAll(() => kith.stop());

describe('create', () => {
  it('RECO2-05: answers 200 with id, action and the record', async () => {
    const reply = await admin.post('/records/contacts', { first_name: 'Ada', last_name: 'Lovelace' });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual(['id', 'action', 'record']);
    expect(reply.json.action).toBe('created');
    expect(reply.json.record).toMatchObject({
      id: reply.json.id,
      first_name: 'Ada',
      last_name: 'Lovelace',
      full_name: 'Ada Lovelace',
    });
  });

  it('RECO-01, TOP-04: a record has an id, a UUID, and every field that the schema names', async () => {
    for (const object of ['contacts', 'companies', 'opportunities']) {
      const { fields } = (await admin.get(`/schema/${object}`)).json;
      const record = await create(admin, object, object === 'contacts' ? {} : { name: 'All fields' });
      expect(record.id).toMatch(uuid);
      const names = fields
        .filter((field: { type: string }) => field.type !== 'PIPELINE')
        .map((field: { name: string }) => field.name);
      expect(Object.keys(record)).toEqual(expect.arrayContaining(names));
    }
  });

  it('RECO-04, TOP-05: sets owner, created_by, created_at and updated_at', async () => {
    const before = Date.now();
    const record = await create(admin, 'companies', { name: 'Stamped' });
    expect(record).toMatchObject({
      owner: admin.workspaceUserId,
      owner_display: 'Ada Admin',
      created_by: admin.workspaceUserId,
      created_by_display: 'Ada Admin',
      updated_at: record.created_at,
    });
    expect(record.created_at).toMatch(timestamp);
    expect(Date.parse(record.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(record.created_at)).toBeLessThanOrEqual(Date.now());
  });

  it('RECO-04: a given owner is honoured, created_by stays the caller', async () => {
    const member = await organization.user('Member');
    const record = await create(admin, 'companies', { name: 'Handed over', owner: member.workspaceUserId });
    expect(record).toMatchObject({ owner: member.workspaceUserId, created_by: admin.workspaceUserId });
  });

  it('RECO-05: defaults of the metadata fill what is left out, and not what is given', async () => {
    expect((await create(admin, 'contacts', {})).do_not_contact).toBe(false);
    expect((await create(admin, 'contacts', { do_not_contact: true })).do_not_contact).toBe(true);
    expect((await create(admin, 'contacts', { do_not_contact: null })).do_not_contact).toBe(null);
  });

  const refused: [name: string, object: string, values: object, fields: string[]][] = [
    ['a required field that is left out', 'companies', {}, ['name']],
    ['a required field that is null', 'companies', { name: null }, ['name']],
    ['a required field that is empty', 'companies', { name: '' }, ['name']],
    ['an unknown key', 'contacts', { first_nam: 'x' }, ['first_nam']],
    ['an id', 'contacts', { id: nobody }, ['id']],
    ['a created_at', 'contacts', { created_at: '2026-01-01T00:00:00Z' }, ['created_at']],
    ['a created_by', 'contacts', { created_by: nobody }, ['created_by']],
    ['a computed field', 'contacts', { full_name: 'Ada' }, ['full_name']],
    ['a display', 'contacts', { company_id_display: 'Acme' }, ['company_id_display']],
    ['a system column', 'contacts', { deleted_at: null, search_text: 'x' }, ['deleted_at', 'search_text']],
    [
      'when a step was entered',
      'opportunities',
      { name: 'x', pipeline_step_entered_at: '2026-01-01T00:00:00Z' },
      ['pipeline_step_entered_at'],
    ],
    [
      'every problem at once',
      'companies',
      { employees: 'many', industry: 'nonsense', phonez: 1 },
      ['employees', 'industry', 'phonez', 'name'],
    ],
    ['a relation to nothing', 'contacts', { company_id: nobody }, ['company_id']],
    ['an owner that is nobody', 'contacts', { owner: nobody }, ['owner']],
    ['a many-to-many link to nothing', 'opportunities', { name: 'x', contacts: [nobody] }, ['contacts']],
  ];
  it.each(refused)('ERRO-09: %s is VALIDATION_ERROR with its fields', async (_name, object, values, fields) => {
    const total = (await admin.get(`/records/${object}`)).json.total;
    const reply = await admin.post(`/records/${object}`, values);
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply)).toEqual(fields);
    expect((await admin.get(`/records/${object}`)).json.total).toBe(total);
  });

  it('an unknown key is answered with the nearest name, an unknown option with those there are', async () => {
    const reply = await admin.post('/records/contacts', { first_nmae: 'x', tags: ['vipp'] });
    const [first, second] = reply.json.field_errors;
    expect(first.message).toContain('first_name');
    expect(second.message).toContain('vip');
  });

  it.each([
    ['an array', []],
    ['a text', 'Ada'],
    ['null', null],
    ['nothing', undefined],
  ])('%s as the body is VALIDATION_ERROR', async (_name, body) => {
    expectError(await admin.post('/records/contacts', body), 'VALIDATION_ERROR');
  });
});

describe('get', () => {
  it('RECO2-02, RECO-11: answers the record alone while it is in no list', async () => {
    const record = await create(admin, 'contacts', { first_name: 'Alone' });
    const reply = await admin.get(`/records/contacts/${record.id}`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ record });
  });

  it('RECO-06, RECO-07: relations and users have their display beside them, in get, update and lists', async () => {
    const acme = await create(admin, 'companies', { name: 'Acme' });
    const contact = await create(admin, 'contacts', { first_name: 'Bo', company_id: acme.id });
    const expected = { company_id: acme.id, company_id_display: 'Acme', owner_display: 'Ada Admin' };
    expect((await admin.get(`/records/contacts/${contact.id}`)).json.record).toMatchObject(expected);
    expect((await admin.put(`/records/contacts/${contact.id}`, { job_title: 'CTO' })).json.record).toMatchObject(
      expected,
    );
    expect(
      (
        await admin.get('/records/contacts', {
          filter_field: 'id',
          filter_operator: 'equals',
          filter_value: contact.id,
        })
      ).json.data[0],
    ).toMatchObject(expected);
    expect(await create(admin, 'contacts', { first_name: 'Free' })).toMatchObject({
      company_id: null,
      company_id_display: null,
    });
  });

  it('RECO-10: many-to-many relations are included by get and update, with their junction fields', async () => {
    const ada = await create(admin, 'contacts', { first_name: 'Ada', last_name: 'L' });
    const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [{ id: ada.id, role: 'Buyer' }] });
    const expected = [{ id: ada.id, display: 'Ada L', role: 'Buyer' }];
    expect(deal.contacts).toEqual(expected);
    expect((await admin.get(`/records/opportunities/${deal.id}`)).json.record.contacts).toEqual(expected);
    const updated = await admin.put(`/records/opportunities/${deal.id}`, { name: 'Renamed' });
    expect(updated.json.record).toMatchObject({ name: 'Renamed', contacts: expected });
  });

  it.each([
    ['contacts', nobody],
    ['contacts', 'no-uuid'],
    ['contacts', '%00'],
    ['companies', '1'],
  ])('ERRO-06: RECORD_NOT_FOUND for %s/%s', async (object, id) => {
    expectError(await admin.get(`/records/${object}/${id}`), 'RECORD_NOT_FOUND');
    expectError(await admin.put(`/records/${object}/${id}`, {}), 'RECORD_NOT_FOUND');
    expectError(await admin.delete(`/records/${object}/${id}`), 'RECORD_NOT_FOUND');
    expectError(await admin.post(`/records/${object}/${id}/restore`), 'RECORD_NOT_FOUND');
  });

  it('ERRO-06: an id of another object is RECORD_NOT_FOUND', async () => {
    const { id } = await create(admin, 'companies', { name: 'Elsewhere' });
    expectError(await admin.get(`/records/contacts/${id}`), 'RECORD_NOT_FOUND');
  });

  it('an id may be written in capitals', async () => {
    const record = await create(admin, 'companies', { name: 'Capital' });
    expect((await admin.get(`/records/companies/${record.id.toUpperCase()}`)).json).toEqual({ record });
  });

  it('fields trims the answer, and goes through a relation', async () => {
    const acme = await create(admin, 'companies', { name: 'Trim Ltd' });
    const { id } = await create(admin, 'contacts', { first_name: 'Tri', company_id: acme.id });
    const reply = await admin.get(`/records/contacts/${id}`, { fields: 'first_name,company_id.name' });
    expect(reply.json).toEqual({ record: { id, first_name: 'Tri', 'company_id.name': 'Trim Ltd' } });
    expectError(await admin.get(`/records/contacts/${id}`, { fields: 'nothing' }), 'INVALID_FIELD');
  });
});

describe('update', () => {
  it('RECO2-06: changes only what is given, and answers id, action and the record', async () => {
    const record = await create(admin, 'companies', { name: 'Old', employees: 5, industry: 'software' });
    const reply = await admin.put(`/records/companies/${record.id}`, { name: 'New' });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json)).toEqual(['id', 'action', 'record']);
    expect(reply.json).toEqual({
      id: record.id,
      action: 'updated',
      record: { ...record, name: 'New', updated_at: reply.json.record.updated_at },
    });
    expect(reply.json.record.updated_at >= record.updated_at).toBe(true);
    expect((await admin.get(`/records/companies/${record.id}`)).json.record).toEqual(reply.json.record);
  });

  it('PATCH means the same as PUT', async () => {
    const { id } = await create(admin, 'companies', { name: 'Patched', employees: 5 });
    const reply = await admin.send(`/api/v1/records/companies/${id}`, {
      method: 'PATCH',
      body: '{"employees":6}',
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.json).toMatchObject({ action: 'updated', record: { name: 'Patched', employees: 6 } });
  });

  it('null clears a field, but not a required one', async () => {
    const record = await create(admin, 'companies', { name: 'Keep', employees: 5, annual_revenue: 7 });
    const reply = await admin.put(`/records/companies/${record.id}`, { employees: null, annual_revenue: null });
    expect(reply.json.record).toMatchObject({ name: 'Keep', employees: null, annual_revenue: null });
    const refused = await admin.put(`/records/companies/${record.id}`, { name: null });
    expectError(refused, 'VALIDATION_ERROR');
    expect(fieldsIn(refused)).toEqual(['name']);
  });

  it('what was read can be written back whole', async () => {
    const acme = await create(admin, 'companies', {
      name: 'Round',
      annual_revenue: { amount: 1.5, currency: 'EUR' },
      phones: ['+49 30 1'],
    });
    const contact = await create(admin, 'contacts', {
      first_name: 'R',
      emails: ['r@x.test'],
      company_id: acme.id,
      tags: ['vip'],
    });
    const deal = await create(admin, 'opportunities', { name: 'D', contacts: [{ id: contact.id, role: 'x' }] });
    for (const [object, record] of [
      ['companies', acme],
      ['contacts', contact],
    ] as const) {
      const { json } = await admin.put(`/records/${object}/${record.id}`, record);
      expect(json).toEqual({
        id: record.id,
        action: 'updated',
        record: { ...record, updated_at: json.record.updated_at },
      });
    }
    const { json } = await admin.put(`/records/opportunities/${deal.id}`, deal);
    expect(json.record).toEqual({ ...deal, updated_at: json.record.updated_at });
  });

  it('a read-only value that differs from the stored one is refused, and nothing changes', async () => {
    const record = await create(admin, 'contacts', { first_name: 'Fix' });
    for (const values of [
      { id: nobody },
      { created_at: '2020-01-01T00:00:00.000Z' },
      { full_name: 'Other' },
      { created_by: nobody },
    ]) {
      const reply = await admin.put(`/records/contacts/${record.id}`, { first_name: 'Changed', ...values });
      expectError(reply, 'VALIDATION_ERROR');
      expect(fieldsIn(reply)).toEqual(Object.keys(values));
    }
    expect((await admin.get(`/records/contacts/${record.id}`)).json).toEqual({ record });
  });

  it('a computed field follows what it is computed from', async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Grace', last_name: 'Hopper' });
    expect((await admin.put(`/records/contacts/${id}`, { first_name: 'Rear' })).json.record.full_name).toBe(
      'Rear Hopper',
    );
    expect((await admin.put(`/records/contacts/${id}`, { last_name: null })).json.record.full_name).toBe('Rear');
  });

  it('a write to a many-to-many field replaces the set, in the order given', async () => {
    const people = await Promise.all(['A', 'B', 'C'].map((name) => create(admin, 'contacts', { first_name: name })));
    const [a, b, c] = people.map((person) => person.id);
    const deal = await create(admin, 'opportunities', { name: 'Set', contacts: [a, b] });
    expect(deal.contacts.map((link: { id: string }) => link.id)).toEqual([a, b]);
    const changed = await admin.put(`/records/opportunities/${deal.id}`, { contacts: [{ id: c, role: 'New' }, b] });
    expect(changed.json.record.contacts).toEqual([
      { id: c, display: 'C', role: 'New' },
      { id: b, display: 'B', role: null },
    ]);
    expect(
      (await admin.put(`/records/opportunities/${deal.id}`, { name: 'Same set' })).json.record.contacts,
    ).toHaveLength(2);
    expect((await admin.put(`/records/opportunities/${deal.id}`, { contacts: [] })).json.record.contacts).toEqual([]);
  });
});

describe('DUPLICATE_RECORD', () => {
  it('ERRO-10, RECO2-30: names the field and the other record, never an index; the trash frees the value', async () => {
    const other = await kith.organization();
    await makeUnique(kith, other, 'companies', 'domain');
    const first = await create(other.admin, 'companies', { name: 'First', domain: 'https://acme.test' });
    const second = await create(other.admin, 'companies', { name: 'Second', domain: 'https://beta.test' });
    const refusals = [
      await other.admin.post('/records/companies', { name: 'Third', domain: first.domain }),
      await other.admin.put(`/records/companies/${second.id}`, { domain: first.domain }),
    ];
    for (const reply of refusals) {
      expectError(reply, 'DUPLICATE_RECORD');
      expect(fieldsIn(reply)).toEqual(['domain']);
      expect(reply.json.message).toContain(first.id);
      expect(reply.text).not.toMatch(/u_[0-9a-f]{12}|23505/);
    }
    expect((await other.admin.get('/records/companies')).json.total).toBe(2);
    await other.admin.delete(`/records/companies/${first.id}`);
    const third = await create(other.admin, 'companies', { name: 'Third', domain: first.domain });
    const clash = await other.admin.post(`/records/companies/${first.id}/restore`);
    expectError(clash, 'DUPLICATE_RECORD');
    expect(clash.json.message).toContain(third.id);
    expect(clash.json.message).toContain(first.id);
  });
});

describe('objects', () => {
  it.each(['nothing', 'Contacts', 'contact', '__proto__', '_users', 'tasks', 'notes'])(
    'ERRO-11: %s is INVALID_OBJECT with the names there are',
    async (name) => {
      const replies = [
        await admin.get(`/records/${name}`),
        await admin.get(`/records/${name}/${nobody}`),
        await admin.post(`/records/${name}`, {}),
        await admin.put(`/records/${name}/${nobody}`, {}),
        await admin.delete(`/records/${name}/${nobody}`),
        await admin.post(`/records/${name}/batch/create`, { records: [{}] }),
      ];
      for (const reply of replies) {
        expectError(reply, 'INVALID_OBJECT');
        expect(reply.json.available_values).toEqual(['contacts', 'companies', 'opportunities']);
      }
    },
  );

  it('WSD-01, WSD-02: what one organization writes, another never sees', async () => {
    const other = await kith.organization();
    const { id } = await create(admin, 'companies', { name: 'Ours alone' });
    const foreign = await create(other.admin, 'companies', { name: 'Theirs' });
    expect(
      (await other.admin.get('/records/companies')).json.data.map((record: { name: string }) => record.name),
    ).toEqual(['Theirs']);
    for (const reply of [
      await other.admin.get(`/records/companies/${id}`),
      await other.admin.put(`/records/companies/${id}`, { name: 'x' }),
      await other.admin.delete(`/records/companies/${id}`),
    ])
      expectError(reply, 'RECORD_NOT_FOUND');
    const reply = await admin.post('/records/contacts', { company_id: foreign.id, owner: other.admin.workspaceUserId });
    expectError(reply, 'VALIDATION_ERROR');
    expect(fieldsIn(reply).toSorted()).toEqual(['company_id', 'owner']);
  });
});
