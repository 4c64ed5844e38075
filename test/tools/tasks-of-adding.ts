/** Cleaning up, bringing in and taking out, and writing. */
import { expect } from 'vitest';
import type { Told } from './player.ts';
import { and, inDays, recordOf, recordsOf, theOne, type Task } from './task-table.ts';

export const cleaning: readonly Task[] = [
  {
    words: 'Somebody is there twice among the contacts: merge the first such pair',
    as: 'ada',
    async play(agent) {
      const asked = { action: 'detect', object_name: 'contacts', limit: 1, max_tokens: 2_000 };
      const { duplicate_groups } = await agent.call('crm_duplicates', asked);
      const [one, ...others] = duplicate_groups[0].records.map(({ id }: Told) => id);
      const merge = { master_id: one, duplicate_ids: others, merge_strategy: 'fill_blanks' };
      await agent.call('crm_duplicates', { action: 'merge', object_name: 'contacts', ...merge });
      return { one, others };
    },
    async ends({ one, others }, _mine, admin) {
      expect((await recordOf(admin, 'contacts', one)).id).toBe(one);
      for (const id of others) expect((await admin.get(`/records/contacts/${id}`)).json.record?.id).not.toBe(id);
    },
  },
  {
    words: 'Throw the contact Ola Corwin away. Sorry, wrong one: bring her back',
    as: 'ada',
    async play(agent) {
      const { id } = await theOne(agent, 'contacts', 'Ola Corwin', ['full_name']);
      await agent.call('crm_save_record', { action: 'delete', object_name: 'contacts', record_id: id });
      const { data } = await agent.call('crm_undo', { action: 'trash', object_name: 'contacts', limit: 1 });
      await agent.call('crm_save_record', { action: 'restore', object_name: 'contacts', record_id: data[0].id });
      return id;
    },
    async ends(id, _mine, admin) {
      expect((await recordOf(admin, 'contacts', id)).full_name).toBe('Ola Corwin');
    },
  },
  {
    words: 'Make a list “Corwins” of everybody of that name, without Ola',
    as: 'ada',
    async play(agent) {
      const filters = and(['last_name', 'equals', 'Corwin'], ['first_name', 'not_equals', 'Ola']);
      const { data } = await agent.call('crm_find_records', {
        object_name: 'contacts',
        filters,
        fields: ['full_name'],
      });
      const record_ids = data.map(({ id }: Told) => id);
      return agent.call('crm_create_list', { name: 'Corwins', object_types: ['contacts'], record_ids });
    },
    async ends({ id }, _mine, admin) {
      expect((await admin.get(`/lists/${id}/entries`)).json.total).toBe(3);
    },
  },
];

const guests =
  'First name,Last name,Mail,Firm\nEda,Kurt,eda@guests.example,Kinzy AG\nIvo,Lang,ivo@guests.example,Kinzy AG\n';

export const importing: readonly Task[] = [
  {
    words: `Import these guests as contacts: ${guests}`,
    as: 'ada',
    async play(agent) {
      const asked = { action: 'analyze', object_name: 'contacts', format: 'csv', data: guests };
      const { import_job_id, columns } = await agent.call('crm_import_records', { ...asked, max_tokens: 2_000 });
      const mapping = columns.map(({ suggestion }: Told) =>
        suggestion.column === 'Firm'
          ? {
              column: 'Firm',
              action: 'relation',
              field: 'company_id',
              target_object: 'companies',
              lookup_field: 'name',
            }
          : suggestion,
      );
      await agent.call('crm_import_records', { action: 'preview', import_job_id, mapping });
      return agent.call('crm_import_records', { action: 'execute', import_job_id, mapping });
    },
    async ends({ created, failed }, _mine, admin) {
      expect([created, failed]).toEqual([2, 0]);
      const { data } = await recordsOf(admin, 'contacts', and(['emails', 'contains', 'guests.example']));
      expect(data.map(({ full_name, company_id_display: at }: Told) => [full_name, at]).toSorted()).toEqual([
        ['Eda Kurt', 'Kinzy AG'],
        ['Ivo Lang', 'Kinzy AG'],
      ]);
    },
  },
  {
    words: 'Give me the names and domains of the finance companies as CSV',
    as: 'ada',
    play: (agent) =>
      agent.call('crm_export_records', {
        object_name: 'companies',
        format: 'csv',
        fields: ['name', 'domain'],
        filters: and(['industry', 'equals', 'finance']),
        max_tokens: 3_000,
      }),
    async ends({ csv, nextCursor }, mine) {
      const { total } = await recordsOf(mine, 'companies', and(['industry', 'equals', 'finance']));
      const rows = csv.trim().split(/\r?\n/).length - 1;
      expect([rows > 10, rows === total || nextCursor !== undefined]).toEqual([true, true]);
    },
  },
];

export const writing: readonly Task[] = [
  {
    words: 'Remind me to call Anna Corwin tomorrow, it is urgent',
    as: 'ben',
    async play(agent) {
      const { id } = await theOne(agent, 'contacts', 'Anna Corwin', ['full_name']);
      const { workspaceUserId: me } = await agent.call('crm_get_schema', { action: 'me' });
      return agent.call('crm_manage_tasks', {
        action: 'create',
        title: 'Call Anna Corwin',
        due_date: inDays(1),
        priority: 'urgent',
        action_type: 'call',
        assigned_to_id: me,
        linked_entities: [{ type: 'contacts', id }],
      });
    },
    async ends({ task_id }, mine) {
      const { task } = (await mine.get(`/tasks/${task_id}`)).json;
      expect(task).toMatchObject({ priority: 'urgent', assigned_to_id: mine.workspaceUserId });
      expect(task.linked_entities).toMatchObject([{ type: 'contacts', display: 'Anna Corwin' }]);
    },
  },
  {
    words: 'Write down for all of us at Maillard GIE: they want an offer for 2,000 seats',
    as: 'diego',
    async play(agent) {
      const { id } = await theOne(agent, 'companies', 'Maillard GIE', ['name']);
      const place = { entity_type: 'companies', entity_id: id, visibility: 'workspace' };
      const note = { content: 'They want an offer for 2,000 seats', ...place };
      return agent.call('crm_manage_notes', { action: 'create', ...note });
    },
    async ends({ note_id }, _mine, admin) {
      const { note } = (await admin.get(`/notes/${note_id}`)).json;
      expect([note.content.includes('2,000 seats'), note.visibility]).toEqual([true, 'workspace']);
      expect(note.linked_entities).toMatchObject([{ display: 'Maillard GIE' }]);
    },
  },
  {
    words: 'Answer the question about the offer in my inbox: “It is on its way.” Show it to me first',
    as: 'ada',
    async play(agent) {
      const asked = { action: 'list_threads', channel: 'email', limit: 1, fields: ['subject'] };
      const { data } = await agent.call('crm_inbox', asked);
      const of = {
        action: 'get_thread',
        thread_id: data[0].id,
        fields: ['participants', 'content'],
        max_tokens: 1_500,
      };
      const { messages } = await agent.call('crm_inbox', of);
      const [to] = messages[0].participants.filter((one: string) => !one.includes('acme.example'));
      const mail = {
        channel: 'email',
        thread_id: data[0].id,
        to: [to],
        subject: 'Re: Offer',
        body: 'It is on its way.',
      };
      const from = { from_account_email: 'ada@sandbox.example' };
      const shown = await agent.call('crm_send_message', { action: 'preview', ...mail, ...from });
      const { confirm_token } = shown;
      return agent.call('crm_send_message', { action: 'send', ...mail, ...from, confirm_token });
    },
    async ends({ mode, message, thread_id }, mine) {
      expect([mode, message.to]).toEqual(['sent', ['rita@offers.example']]);
      const { messages } = (await mine.get(`/inbox/threads/${thread_id}`)).json;
      expect(messages.map(({ direction }: Told) => direction)).toContain('outbound');
    },
  },
];
