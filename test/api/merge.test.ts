/** [spec: Duplicates] Merges, and what history has of them. */
import { describe, expect, it } from 'vitest';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { apply, create, expectError } from './records.ts';
import { company, contact, duplicates, merge, nowhere, record, unmerge } from './merging.ts';
import { admin, kith, organization, useStage } from './stage.ts';

useStage(() => Promise.resolve());

describe('merge', () => {
  it('DUPL-13, DUPL-14, DUPL-19, DUPL-21: keeps the values of the master, and deletes the duplicates', async () => {
    const master = await company({ employees: 7 });
    const one = await company({ name: 'Other', employees: 9, industry: 'software' });
    const { json } = await merge('companies', master.id, [one.id]);
    expect(json).toEqual({
      master_id: master.id,
      duplicates_deleted: 1,
      updated_relations: 0,
      strategy: 'keep_master',
    });
    expect(await record('companies', master.id)).toMatchObject({ name: 'Acme', employees: 7, industry: null });
    expectError(await admin.get(`/records/companies/${one.id}`), 'RECORD_NOT_FOUND');
  });

  it('DUPL-15: fill_blanks fills from the first duplicate that has a value, and never over one', async () => {
    const master = await company({ employees: 7, description: '  ' });
    const [one, two] = [
      await company({ name: 'One', domain: 'one.test', employees: 1 }),
      await company({ industry: 'software', domain: 'two.test', description: 'Told' }),
    ];
    const { json } = await merge('companies', master.id, [one.id, two.id], { merge_strategy: 'fill_blanks' });
    expect(json).toMatchObject({ duplicates_deleted: 2, strategy: 'fill_blanks' });
    expect(await record('companies', master.id)).toMatchObject({
      name: 'Acme',
      employees: 7,
      domain: 'one.test',
      industry: 'software',
      description: 'Told',
    });
  });

  it('DUPL-16: unites EMAILS and PHONES without repetition, and takes relations, in both strategies', async () => {
    for (const merge_strategy of ['keep_master', 'fill_blanks']) {
      const { id: employer } = await company();
      const master = await contact({ emails: ['a@x.test', 'b@x.test'] });
      const one = await contact({ emails: ['B@x.test', 'c@x.test'], phones: '123456', company_id: employer });
      await merge('contacts', master.id, [one.id], { merge_strategy });
      const { emails, phones, company_id } = await record('contacts', master.id);
      expect(emails.map(({ email, is_primary }: never) => [email, is_primary])).toEqual([
        ['a@x.test', true],
        ['b@x.test', false],
        ['c@x.test', false],
      ]);
      expect(phones).toEqual([{ phone: '123456', label: 'work', is_primary: true }]);
      expect(company_id).toBe(employer);
    }
  });

  it('DUPL-17, DUPL-18: re-points relations, and re-links junctions with their values, dropping those that the master has', async () => {
    const [master, one, two] = [await company(), await company(), await company()];
    const people = [await contact({ company_id: one.id }), await contact({ company_id: two.id })];
    const gone = await contact({ company_id: one.id });
    await admin.delete(`/records/contacts/${gone.id}`);
    const { json } = await merge('companies', master.id, [one.id, two.id]);
    expect(json.updated_relations).toBe(3);
    for (const { id } of people) expect((await record('contacts', id)).company_id).toBe(master.id);
    expect((await admin.post(`/records/contacts/${gone.id}/restore`)).json.record.company_id).toBe(master.id);

    const [anna, bob, cy] = [await contact(), await contact(), await contact()];
    const deal = await create(admin, 'opportunities', {
      name: 'Deal',
      contacts: [cy.id, { id: bob.id, role: 'buyer' }],
    });
    const both = await create(admin, 'opportunities', {
      name: 'Both',
      contacts: [
        { id: anna.id, role: 'boss' },
        { id: bob.id, role: 'buyer' },
      ],
    });
    expect((await merge('contacts', anna.id, [bob.id])).json.updated_relations).toBe(1);
    const linksOf = async (id: string) =>
      (await record('opportunities', id)).contacts.map(({ id: to, role }: never) => [to, role]);
    expect(await linksOf(deal.id)).toEqual([
      [cy.id, null],
      [anna.id, 'buyer'],
    ]);
    expect(await linksOf(both.id)).toEqual([[anna.id, 'boss']]);
  });

  it('DUPL-18: gives the master the links of the duplicates, behind its own', async () => {
    const [anna, bob, cy] = [await contact(), await contact(), await contact()];
    const master = await create(admin, 'opportunities', { name: 'Master', contacts: [{ id: anna.id, role: 'boss' }] });
    const one = await create(admin, 'opportunities', {
      name: 'One',
      contacts: [cy.id, { id: anna.id, role: 'other' }, { id: bob.id, role: 'buyer' }],
    });
    expect((await merge('opportunities', master.id, [one.id])).json.updated_relations).toBe(2);
    expect((await record('opportunities', master.id)).contacts.map(({ id, role }: never) => [id, role])).toEqual([
      [anna.id, 'boss'],
      [cy.id, null],
      [bob.id, 'buyer'],
    ]);
  });

  it('moves tasks, notes of everybody, and places on lists', async () => {
    const member = await organization.user('Member');
    const [master, one] = [await contact(), await contact()];
    const link = { linked_entities: [{ id: one.id, type: 'contacts' }] };
    const { task_id } = (await admin.post('/tasks', { title: 'Call', ...link })).json;
    const { note_id } = (await member.post('/notes', { content: 'Mine alone', ...link })).json;
    const list = (
      await admin.post('/lists', {
        name: 'VIP',
        object_types: ['contacts'],
        fields: [{ name: 'rank', type: 'INTEGER' }],
      })
    ).json;
    const added = await admin.post(`/lists/${list.id}/entries`, {
      object_type: 'contacts',
      record_ids: [one.id],
      entry_fields: { rank: 3 },
    });
    expect(added.status, added.text).toBe(200);
    await merge('contacts', master.id, [one.id]);
    expect((await admin.get(`/tasks/${task_id}`)).json.task.linked_entities).toMatchObject([{ id: master.id }]);
    expect((await member.get(`/notes/${note_id}`)).json.note.linked_entities).toMatchObject([{ id: master.id }]);
    const { data, total } = (await admin.get(`/lists/${list.id}/entries`)).json;
    expect(total).toBe(1);
    expect(data[0]).toMatchObject({ record_id: master.id, entry_fields: { rank: 3 } });
    await unmerge('contacts', one.id);
    expect((await member.get(`/notes/${note_id}`)).json.note.linked_entities).toMatchObject([{ id: one.id }]);
    expect((await admin.get(`/lists/${list.id}/entries`)).json.data).toMatchObject([
      { record_id: one.id, entry_fields: { rank: 3 } },
    ]);
  });

  it('messages follow the addresses that the master gets, and go back with them', async () => {
    const [master, one] = [await contact({ emails: 'm@x.test' }), await contact({ emails: 'moved@x.test' })];
    const user = await emailOf(admin);
    await ingest(kith, organization, [messageLine(user, 'moved-1', { from: 'moved@x.test' })]);
    const messages = async (id: string) =>
      (await admin.get(`/activity/contacts/${id}`, { include: 'interactions' })).json.interactions?.total;
    expect([await messages(master.id), await messages(one.id)]).toEqual([0, 1]);
    await merge('contacts', master.id, [one.id]);
    expect(await messages(master.id)).toBe(1);
    await unmerge('contacts', one.id);
    expect([await messages(master.id), await messages(one.id)]).toEqual([0, 1]);
  });

  it('frees unique values before it fills them', async () => {
    await apply(admin, {
      objects: [
        {
          name: 'members',
          displayField: 'name',
          fields: [
            { name: 'name', type: 'TEXT' },
            { name: 'number', type: 'TEXT', isUnique: true },
            { name: 'mail', type: 'EMAILS', isUnique: true },
          ],
        },
      ],
    });
    const master = await create(admin, 'members', { name: 'Master' });
    const one = await create(admin, 'members', { number: 'N-1', mail: 'one@x.test' });
    expect((await merge('members', master.id, [one.id], { merge_strategy: 'fill_blanks' })).status).toBe(200);
    expect(await record('members', master.id)).toMatchObject({ number: 'N-1', mail: [{ email: 'one@x.test' }] });
    expectError(await admin.post('/records/members', { mail: 'ONE@x.test' }), 'DUPLICATE_RECORD');
    expect((await unmerge('members', one.id)).status).toBe(200);
    expect(await record('members', master.id)).toMatchObject({ number: null, mail: [] });
    expect(await record('members', one.id)).toMatchObject({ number: 'N-1', mail: [{ email: 'one@x.test' }] });
    expectError(await admin.post('/records/members', { mail: 'ONE@x.test' }), 'DUPLICATE_RECORD');

    await merge('members', master.id, [one.id]);
    await admin.put(`/records/members/${master.id}`, { mail: [] });
    await create(admin, 'members', { mail: 'one@x.test' });
    expectError(await unmerge('members', one.id), 'DUPLICATE_RECORD');
  });

  it('takes values field by field, from whichever record', async () => {
    const master = await company({ employees: 7, industry: 'finance' });
    const one = await company({ name: 'Better', employees: 9, industry: 'software' });
    const { json } = await merge('companies', master.id, [one.id], { values: { name: one.id, industry: master.id } });
    expect(json.duplicates_deleted).toBe(1);
    expect(await record('companies', master.id)).toMatchObject({ name: 'Better', employees: 7, industry: 'finance' });
    await unmerge('companies', one.id);
    expect(await record('companies', master.id)).toMatchObject({ name: 'Acme', employees: 7, industry: 'finance' });
    expectError(
      await merge('companies', master.id, [one.id], { values: { nope: one.id, name: nowhere, phones: one.id } }),
      'VALIDATION_ERROR',
    );
  });

  it('a relation between the records that are merged leads to nothing', async () => {
    await apply(admin, {
      objects: [
        {
          name: 'parts',
          displayField: 'name',
          fields: [
            { name: 'name', type: 'TEXT' },
            {
              name: 'parent',
              type: 'RELATION',
              relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'parts' },
            },
            {
              name: 'near',
              type: 'MANY_TO_MANY',
              relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'parts' },
            },
          ],
        },
      ],
    });
    const one = await create(admin, 'parts', { name: 'one' });
    const master = await create(admin, 'parts', { name: 'master', parent: one.id, near: [one.id] });
    await admin.put(`/records/parts/${one.id}`, { parent: master.id, near: [master.id] });
    const child = await create(admin, 'parts', { name: 'child', parent: one.id, near: [one.id, master.id] });
    await merge('parts', master.id, [one.id]);
    expect(await record('parts', master.id)).toMatchObject({ parent: null, near: [] });
    expect(await record('parts', child.id)).toMatchObject({ parent: master.id, near: [{ id: master.id }] });
    await unmerge('parts', one.id);
    expect(await record('parts', master.id)).toMatchObject({ parent: one.id, near: [{ id: one.id }] });
    expect(await record('parts', one.id)).toMatchObject({ parent: master.id, near: [{ id: master.id }] });
    expect(await record('parts', child.id)).toMatchObject({
      parent: one.id,
      near: [{ id: one.id }, { id: master.id }],
    });
  });

  it('refuses what cannot be merged, and nothing is changed then', async () => {
    const [master, one] = [await company(), await company({ name: 'One' })];
    expectError(await merge('companies', '', [one.id]), 'MISSING_REQUIRED_FIELD');
    expectError(
      await duplicates({ action: 'merge', object_name: 'companies', duplicate_ids: [one.id] }),
      'MISSING_REQUIRED_FIELD',
    );
    expectError(await merge('companies', master.id, []), 'MISSING_REQUIRED_FIELD');
    expectError(
      await duplicates({ action: 'merge', object_name: 'companies', master_id: master.id }),
      'MISSING_REQUIRED_FIELD',
    );
    expectError(await merge('companies', master.id, [one.id, master.id.toUpperCase()]), 'MERGE_FAILED');
    expectError(await merge('companies', nowhere, [one.id], { merge_strategy: 'fill_blanks' }), 'RECORD_NOT_FOUND');
    expectError(await merge('companies', 'x', [one.id], { merge_strategy: 'fill_blanks' }), 'RECORD_NOT_FOUND');
    expectError(await merge('companies', nowhere, [one.id]), 'MERGE_FAILED');
    expectError(await merge('companies', master.id, [one.id, nowhere]), 'MERGE_FAILED');
    expectError(await merge('companies', master.id, [one.id, 'x']), 'MERGE_FAILED');
    expectError(await merge('companies', master.id, [one.id], { merge_strategy: 'mine' }), 'VALIDATION_ERROR');
    const many = Array.from({ length: 101 }, (_, at) => nowhere.slice(0, -3) + String(at).padStart(3, '0'));
    expectError(await merge('companies', master.id, many), 'VALIDATION_ERROR');
    for (const name of ['tasks', 'notes', 'threads'])
      expectError(await merge(name, master.id, [one.id]), 'INVALID_OBJECT');
    const member = await organization.user('Member');
    expectError(
      await member.post('/duplicates', {
        action: 'merge',
        object_name: 'companies',
        master_id: master.id,
        duplicate_ids: [one.id],
      }),
      'PERMISSION_DENIED',
    );
    expect((await record('companies', one.id)).name).toBe('One');
  });

  it('DUPL-20: is atomic: a set that would be too large undoes all of it', async () => {
    const numbers = (from: number) => Array.from({ length: 60 }, (_, at) => `+49 ${from + at}`);
    const [master, one] = [await contact({ phones: numbers(1000) }), await contact({ phones: numbers(2000) })];
    const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [one.id] });
    expectError(await merge('contacts', master.id, [one.id]), 'MERGE_FAILED');
    expect((await record('opportunities', deal.id)).contacts).toMatchObject([{ id: one.id }]);
    expect((await record('contacts', one.id)).phones.length).toBe(60);
  });

  it('a dry run shows the outcome with its links counted, and changes nothing', async () => {
    const [master, one] = [await company(), await company({ industry: 'software' })];
    const person = await contact({ company_id: one.id });
    const body = {
      action: 'merge',
      object_name: 'companies',
      master_id: master.id,
      duplicate_ids: [one.id],
      merge_strategy: 'fill_blanks',
    };
    const { json } = await duplicates(body, '?dry_run=true');
    expect(json).toMatchObject({
      master_id: master.id,
      duplicates_deleted: 1,
      updated_relations: 1,
      moved: { 'contacts.company_id': 1 },
      record: { id: master.id, industry: 'software' },
    });
    expect((await record('contacts', person.id)).company_id).toBe(one.id);
    expect((await record('companies', master.id)).industry).toBeNull();
  });

  it('warns where the workspace names what was merged', async () => {
    const [master, one] = [await company(), await company()];
    const view = { type: 'AND', conditions: [{ field: 'company_id', operator: 'equals', value: one.id }] };
    await apply(admin, { roles: [{ name: 'Partner', permissions: { contacts: { view } } }] });
    const reply = await merge('companies', master.id, [one.id]);
    expect(reply.headers.get('warning')).toContain('the role \\"Partner\\"');
  });

  it('gives the same answer again', async () => {
    const [master, one, two] = [await company(), await company(), await company()];
    await contact({ company_id: one.id });
    const first = await merge('companies', master.id, [one.id, two.id]);
    const versions = await admin.get(`/records/companies/${master.id}/history`);
    expect((await merge('companies', master.id, [one.id, two.id])).json).toEqual(first.json);
    expect((await admin.get(`/records/companies/${master.id}/history`)).json).toEqual(versions.json);
    const three = await company();
    expect((await merge('companies', master.id, [one.id, three.id])).json).toMatchObject({
      duplicates_deleted: 2,
      updated_relations: 1,
    });
    const another = await company();
    expectError(await merge('companies', another.id, [one.id]), 'MERGE_FAILED');
  });

  it('refuses to merge again in another way, which would change nothing', async () => {
    const [master, one] = [await company(), await company({ industry: 'software' })];
    await merge('companies', master.id, [one.id]);
    for (const more of [{ merge_strategy: 'fill_blanks' }, { values: { industry: one.id } }]) {
      const reply = await merge('companies', master.id, [one.id], more);
      const message = `${one.id} was merged into ${master.id} already, with keep_master; unmerge first to merge it in another way`;
      expectError(reply, 'MERGE_FAILED');
      expect(reply.json.field_errors).toEqual([{ field: 'duplicate_ids', message }]);
    }
    const two = await company();
    expectError(
      await merge('companies', master.id, [one.id, two.id], { merge_strategy: 'fill_blanks' }),
      'MERGE_FAILED',
    );
    expect(await record('companies', two.id)).toMatchObject({ id: two.id });
    await unmerge('companies', one.id);
    const chosen = { merge_strategy: 'fill_blanks', values: { industry: one.id, name: master.id } };
    const first = await merge('companies', master.id, [one.id], chosen);
    expect((await record('companies', master.id)).industry).toBe('software');
    expect((await merge('companies', master.id, [one.id], chosen)).json).toEqual(first.json);
    const without = await merge('companies', master.id, [one.id], { merge_strategy: 'fill_blanks' });
    expectError(without, 'MERGE_FAILED');
    expect(without.json.message).toContain('already, with fill_blanks and chosen values');
    const more = await merge('companies', master.id, [one.id, two.id], chosen);
    expect(more.json.duplicates_deleted).toBe(2);
  });
});

describe('history', () => {
  it('has one entry for each record that a merge changes, in one change set, and the past stays true', async () => {
    const [master, one] = [
      await contact({ emails: 'a@x.test' }),
      await contact({ first_name: 'One', emails: 'b@x.test' }),
    ];
    const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [{ id: one.id, role: 'buyer' }] });
    const before = new Date().toISOString();
    await merge('contacts', master.id, [one.id], { merge_strategy: 'fill_blanks' });
    const newest = async (object: string, id: string) =>
      (await admin.get(`/records/${object}/${id}/history`)).json.data[0];
    const entries = [
      await newest('contacts', master.id),
      await newest('contacts', one.id),
      await newest('opportunities', deal.id),
    ];
    expect(entries.map(({ action, means }) => [action, means])).toEqual([
      ['update', 'merge'],
      ['delete', 'merge'],
      ['update', 'merge'],
    ]);
    expect(new Set(entries.map((entry) => entry.change_set)).size).toBe(1);
    expect(entries[2].changes).toEqual([{ field: 'contacts', added: [master.id], removed: [one.id] }]);
    const asOf = async (object: string, id: string) =>
      (await admin.get(`/records/${object}/${id}`, { as_of: before })).json.record;
    expect(await asOf('opportunities', deal.id)).toMatchObject({ contacts: [{ id: one.id, role: 'buyer' }] });
    expect(await asOf('contacts', master.id)).toMatchObject({ first_name: null, emails: [{ email: 'a@x.test' }] });
    expect(await asOf('contacts', one.id)).toMatchObject({ first_name: 'One', emails: [{ email: 'b@x.test' }] });
    const both = await admin.get(`/records/contacts/${one.id}`, { as_of: before, follow: 'merged' });
    expectError(both, 'INVALID_ARGUMENT');
    await unmerge('contacts', one.id);
    expect(await newest('contacts', one.id)).toMatchObject({ action: 'restore', means: 'merge' });
    expect(await asOf('contacts', one.id)).toMatchObject({ first_name: 'One' });
    expect(await asOf('opportunities', deal.id)).toMatchObject({ contacts: [{ id: one.id, role: 'buyer' }] });
  });
});
