/** [spec: Duplicates] Old ids of merged records, and their way back. */
import { describe, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { apply, create, expectError } from './records.ts';
import { company, contact, duplicates, merge, nowhere, record, unmerge } from './merging.ts';
import type { Client } from '../support/kith.ts';
import { admin, kith, organization, useStage } from './stage.ts';

useStage(() => Promise.resolve());

describe('old ids', () => {
  it('name their master to whoever may see it, are followed over several merges, and stay in the trash', async () => {
    const [a, b, c] = [await company({ name: 'A' }), await company({ name: 'B' }), await company({ name: 'C' })];
    await merge('companies', b.id, [a.id]);
    await merge('companies', c.id, [b.id]);
    for (const path of [`/records/companies/${a.id}`, `/records/companies/${a.id}?as_of=2020-01-01T00:00:00Z`]) {
      const reply = await admin.get(path);
      expectError(reply, 'RECORD_NOT_FOUND');
      expect(reply.json.message).toContain(`merged into ${c.id}`);
    }
    for (const reply of [
      await admin.put(`/records/companies/${a.id}`, { name: 'x' }),
      await admin.delete(`/records/companies/${b.id}`),
    ]) {
      expectError(reply, 'RECORD_NOT_FOUND');
      expect(reply.json.message).toContain(c.id);
    }
    const followed = await admin.get(`/records/companies/${a.id}`, { follow: 'merged' });
    expect(followed.json.record, followed.text).toMatchObject({ id: c.id, name: 'C' });
    expect((await admin.get(`/records/companies/${c.id}`, { follow: 'merged' })).json.record.id).toBe(c.id);
    expectError(await admin.get(`/records/companies/${nowhere}`, { follow: 'merged' }), 'RECORD_NOT_FOUND');
    expectError(await admin.get(`/records/companies/${a.id}`, { follow: 'me' }), 'VALIDATION_ERROR');
    const restored = await admin.post(`/records/companies/${a.id}/restore`);
    expectError(restored, 'INVALID_OPERATION');
    expect(restored.json.message).toContain('unmerge');
    expectError(await unmerge('companies', a.id), 'MERGE_FAILED');
    expect((await unmerge('companies', b.id)).json).toMatchObject({ master_id: c.id, duplicates_restored: 1 });
    expect((await admin.get(`/records/companies/${a.id}`, { follow: 'merged' })).json.record.id).toBe(b.id);
    expect((await unmerge('companies', a.id)).json).toMatchObject({ master_id: b.id });
    expect((await record('companies', a.id)).name).toBe('A');
    expectError(await unmerge('companies', a.id), 'MERGE_FAILED');
  });

  it('name their master wherever a record is meant by its id, also in a bulk change and as the master of a merge', async () => {
    const stage = (await admin.get('/pipelines')).json.pipelines[0].steps[0];
    const deal = () => create(admin, 'opportunities', { name: 'Deal' });
    const [a, b] = [await deal(), await deal()];
    await merge('opportunities', b.id, [a.id]);
    for (const reply of [
      await admin.get(`/activity/opportunities/${a.id}`),
      await admin.get(`/pipelines/opportunities/${a.id}/history`),
      await admin.put(`/pipelines/opportunities/${a.id}/move`, { pipeline_step_id: stage.id }),
      await merge('opportunities', a.id, [(await deal()).id], { merge_strategy: 'fill_blanks' }),
    ]) {
      expectError(reply, 'RECORD_NOT_FOUND');
      expect(reply.json.message).toContain(`: it was merged into ${b.id}`);
    }
    const kept = await merge('opportunities', a.id, [(await deal()).id]);
    expectError(kept, 'MERGE_FAILED');
    expect(kept.json.message).toContain(`: it was merged into ${b.id}`);
    const bulk = { action: 'update_field', object_name: 'opportunities', field_name: 'name', field_value: 'x' };
    const { json } = await admin.post('/bulk', { ...bulk, record_ids: [a.id, nowhere] });
    expect(json.errors).toEqual([
      { id: a.id, reason: `No record "${a.id}" in opportunities: it was merged into ${b.id}` },
      { id: nowhere, reason: `No record "${nowhere}" in opportunities` },
    ]);
  });

  it('name their master where a task, a note or a list is to lead to them, and where access is explained', async () => {
    const [a, b] = [await contact(), await contact()];
    const linked_entities = [{ id: a.id, type: 'contacts' }];
    const task = (await admin.post('/tasks', { title: 'x' })).json.task_id;
    const note = (await admin.post('/notes', { content: 'x' })).json.note_id;
    const linked = (await admin.post('/notes', { content: 'x', linked_entities })).json.note_id;
    const list = (await admin.post('/lists', { name: 'Old', object_types: ['contacts'] })).json.id;
    await merge('contacts', b.id, [a.id]);
    const message = `No record "${a.id}" in contacts: it was merged into ${b.id}`;
    for (const reply of [
      await admin.post('/tasks', { title: 'x', linked_entities }),
      await admin.put(`/tasks/${task}`, { linked_entities }),
      await admin.post('/notes', { content: 'x', entity_type: 'contacts', entity_id: a.id.toUpperCase() }),
      await admin.put(`/notes/${note}`, { linked_entities }),
      await admin.put(`/notes/${linked}`, { linked_entities }),
    ]) {
      expectError(reply, 'RECORD_NOT_FOUND');
      expect(reply.json.message).toBe(message);
    }
    const added = await admin.post(`/lists/${list}/entries`, { object_type: 'contacts', record_ids: [a.id, nowhere] });
    expect(added.json.errors).toEqual([
      { record_id: a.id, code: 'RECORD_NOT_FOUND', message },
      { record_id: nowhere, code: 'RECORD_NOT_FOUND', message: `No record "${nowhere}" in contacts` },
    ]);
    const explain = () => admin.get('/explain', { user: admin.workspaceUserId, object: 'contacts', record: a.id });
    expect((await explain()).json).toMatchObject({
      allowed: false,
      because: `The record is in the trash: it was merged into ${b.id}`,
    });
    await admin.delete(`/trash/contacts/${a.id}`);
    expect((await explain()).json.message).toBe(message);
  });

  it('tell nothing of a master to whoever may not see it', async () => {
    await apply(admin, {
      roles: [
        {
          name: 'Software',
          permissions: {
            '*': { view: 'all' },
            notes: { view: 'all', create: true },
            tasks: { view: 'all', create: true },
            companies: {
              view: { type: 'AND', conditions: [{ field: 'industry', operator: 'equals', value: 'software' }] },
            },
          },
        },
      ],
    });
    const limited = await organization.user('Software');
    const [hidden, shown, one] = [
      await company(),
      await company({ industry: 'software' }),
      await company({ industry: 'software' }),
    ];
    await merge('companies', hidden.id, [one.id]);
    const expected = (await limited.get(`/records/companies/${nowhere}`)).json.message.replace(nowhere, one.id);
    const reply = await limited.get(`/records/companies/${one.id}`, { follow: 'merged' });
    expect(reply.json.message).toBe(expected);
    const about = (client: Client) =>
      client.post('/tasks', { title: 'x', linked_entities: [{ id: one.id, type: 'companies' }] });
    expect((await about(limited)).json.message).toBe(expected);
    expect((await about(admin)).json.message).toContain(`merged into ${hidden.id}`);
    await merge('companies', shown.id, [hidden.id]);
    expect((await limited.get(`/records/companies/${one.id}`)).json.message).toContain(shown.id);
    expect((await limited.get(`/records/companies/${one.id}`, { follow: 'merged' })).json.record.id).toBe(shown.id);
  });

  it('lead on after the duplicate is removed for good, which cannot be unmerged then; and nowhere after the master is', async () => {
    const [master, one] = [await company(), await company()];
    await merge('companies', master.id, [one.id]);
    expect((await admin.delete(`/trash/companies/${one.id}`)).status).toBe(200);
    expect((await admin.get(`/records/companies/${one.id}`, { follow: 'merged' })).json.record.id).toBe(master.id);
    const reply = await unmerge('companies', one.id);
    expectError(reply, 'MERGE_FAILED');
    expect(reply.json.message).toContain('removed for good');
    await admin.delete(`/records/companies/${master.id}`);
    await admin.delete(`/trash/companies/${master.id}`);
    const { rows } = await kith.database.database.run(
      'test',
      statement(sql`select from ${identifier(organization.schema, '_merges')} where master_id = ${master.id}::uuid`),
    );
    expect(rows).toEqual([]);
  });
});

describe('unmerge', () => {
  it('keeps what was edited since, and tells what is ambiguous', async () => {
    const [master, one] = [await company(), await company({ industry: 'software', domain: 'one.test' })];
    const [stays, left, again] = [
      await contact({ company_id: one.id }),
      await contact({ company_id: one.id }),
      await contact({ company_id: one.id }),
    ];
    await merge('companies', master.id, [one.id], { merge_strategy: 'fill_blanks' });
    await admin.put(`/records/companies/${master.id}`, { industry: 'finance', name: 'Renamed' });
    const { id: third } = await company();
    await admin.put(`/records/contacts/${left.id}`, { company_id: third });
    await admin.put(`/records/contacts/${again.id}`, { company_id: third });
    await admin.put(`/records/contacts/${again.id}`, { company_id: master.id });
    const { json } = await unmerge('companies', one.id);
    expect(json).toMatchObject({
      master_id: master.id,
      duplicates_restored: 1,
      updated_relations: 1,
      moved: { 'contacts.company_id': 1 },
      total_ambiguous: 2,
    });
    expect(json.ambiguous.map(({ record_id, field }: never) => [record_id, field])).toEqual([
      [again.id, 'company_id'],
      [master.id, 'industry'],
    ]);
    expect(await record('companies', master.id)).toMatchObject({ name: 'Renamed', industry: 'finance', domain: null });
    expect(await record('companies', one.id)).toMatchObject({ industry: 'software', domain: 'one.test' });
    const employers = await Promise.all(
      [stays, left, again].map(async ({ id }) => (await record('contacts', id)).company_id),
    );
    expect(employers).toEqual([one.id, third, master.id]);
  });

  it('gives one of several back, and leaves the master what the others have brought', async () => {
    const master = await contact({ emails: 'm@x.test' });
    const [one, two] = [
      await contact({ emails: ['1@x.test', 'both@x.test'] }),
      await contact({ emails: ['both@x.test', '2@x.test'] }),
    ];
    const deal = await create(admin, 'opportunities', { name: 'Deal', contacts: [one.id, two.id] });
    await merge('contacts', master.id, [one.id, two.id]);
    await unmerge('contacts', one.id);
    const emailsOf = async (id: string) => (await record('contacts', id)).emails.map(({ email }: never) => email);
    expect(await emailsOf(master.id)).toEqual(['m@x.test', 'both@x.test', '2@x.test']);
    expect((await record('opportunities', deal.id)).contacts.map(({ id }: never) => id)).toEqual(
      expect.arrayContaining([master.id, one.id]),
    );
    await unmerge('contacts', two.id);
    expect(await emailsOf(master.id)).toEqual(['m@x.test']);
    expect((await record('opportunities', deal.id)).contacts.map(({ id }: never) => id)).toEqual([one.id, two.id]);
  });

  it('refuses what is not merged, or merged elsewhere', async () => {
    const [master, other, one] = [await company(), await company(), await company()];
    expectError(await unmerge('companies', one.id), 'MERGE_FAILED');
    expectError(await duplicates({ action: 'unmerge', object_name: 'companies' }), 'MISSING_REQUIRED_FIELD');
    await merge('companies', master.id, [one.id]);
    const wrong = { action: 'unmerge', object_name: 'companies', master_id: other.id, duplicate_ids: [one.id] };
    expectError(await duplicates(wrong), 'MERGE_FAILED');
    await admin.delete(`/records/companies/${master.id}`);
    expectError(await unmerge('companies', one.id), 'MERGE_FAILED');
    await admin.post(`/records/companies/${master.id}/restore`);
    expect((await unmerge('companies', one.id)).status).toBe(200);
  });
});
