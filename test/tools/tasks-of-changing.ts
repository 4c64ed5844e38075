/** Correcting and moving. */
import { expect } from 'vitest';
import type { Told } from './player.ts';
import { and, recordOf, recordsOf, theOne, userCalled, type Task } from './task-table.ts';

export const correcting: readonly Task[] = [
  {
    words: 'Bob Harris of Koepp Inc is their CTO now: put it right',
    as: 'ada',
    async play(agent) {
      const { id } = await theOne(agent, 'contacts', 'Bob Harris Koepp', ['full_name', 'job_title']);
      const values = { job_title: 'CTO' };
      await agent.call('crm_save_record', { action: 'update', object_name: 'contacts', record_id: id, values });
      return id;
    },
    async ends(id, _mine, admin) {
      expect(await recordOf(admin, 'contacts', id)).toMatchObject({ job_title: 'CTO', last_name: 'Harris' });
    },
  },
  {
    words: 'Kinzy AG is in consulting and has 1,100 people: correct both',
    as: 'ben',
    async play(agent) {
      const { fields } = await agent.call('crm_get_schema', {
        object_name: 'companies',
        fields: ['industry', 'employees'],
      });
      expect(fields[0].options.map(({ value }: Told) => value)).toContain('consulting');
      const { id } = await theOne(agent, 'companies', 'Kinzy AG', ['name']);
      const values = { industry: 'consulting', employees: 1_100 };
      await agent.call('crm_save_record', { action: 'update', object_name: 'companies', record_id: id, values });
      return id;
    },
    async ends(id, _mine, admin) {
      expect(await recordOf(admin, 'companies', id)).toMatchObject({ industry: 'consulting', employees: 1_100 });
    },
  },
  {
    words: 'Everybody who is a VP Marketing should be called Vice President Marketing',
    as: 'ada',
    async play(agent) {
      const filters = and(['job_title', 'equals', 'VP Marketing']);
      const { total } = await agent.call('crm_find_records', {
        object_name: 'contacts',
        filters,
        limit: 1,
        fields: ['job_title'],
      });
      return agent.call('crm_bulk', {
        action: 'update_field',
        object_name: 'contacts',
        filters,
        expected_count: total,
        field_name: 'job_title',
        field_value: 'Vice President Marketing',
      });
    },
    async ends({ updated }, _mine, admin) {
      const countOf = async (title: string) =>
        (await recordsOf(admin, 'contacts', and(['job_title', 'equals', title]), { limit: 1 })).total;
      expect(updated).toBeGreaterThan(100);
      expect([await countOf('VP Marketing'), await countOf('Vice President Marketing')]).toEqual([0, updated]);
    },
  },
  {
    words: 'Set the description of Spencer Group to “test”. No, that was wrong: take it back',
    as: 'ada',
    async play(agent) {
      const { id } = await theOne(agent, 'companies', 'Spencer Group', ['name']);
      const values = { description: 'test' };
      await agent.call('crm_save_record', { action: 'update', object_name: 'companies', record_id: id, values });
      const of = { object_name: 'companies', record_id: id, fields: ['change_set', 'changes'], limit: 1 };
      const { data } = await agent.call('crm_undo', { action: 'history', ...of });
      await agent.call('crm_undo', { action: 'undo', change_set: data[0].change_set });
      return id;
    },
    async ends(id, _mine, admin) {
      expect((await recordOf(admin, 'companies', id)).description).toMatch(/\w{3,} \w+/);
      const { data } = (await admin.get(`/records/companies/${id}/history`)).json;
      expect(data.filter(({ agent }: Told) => agent === 'player')).toHaveLength(2);
    },
  },
];

export const moving: readonly Task[] = [
  {
    words: 'Brakus - Collins want to negotiate about the pilot project: move it there',
    as: 'diego',
    async play(agent) {
      const { id } = await theOne(agent, 'opportunities', 'Brakus Collins Pilot project', ['name', 'pipeline_step_id']);
      const place = { pipeline_step_id: 'Negotiation' };
      return agent.call('crm_save_record', { action: 'move', object_name: 'opportunities', record_id: id, ...place });
    },
    async ends({ deal_id }, _mine, admin) {
      expect((await recordOf(admin, 'opportunities', deal_id)).pipeline_step_id_display).toBe('Negotiation');
    },
  },
  {
    words: 'The subscription SUB-1003 is at risk',
    as: 'ada',
    async play(agent) {
      const { id } = await theOne(agent, 'subscriptions', 'SUB-1003', ['name', 'pipeline_step_id']);
      const place = { pipeline_step_id: 'At risk' };
      await agent.call('crm_save_record', { action: 'move', object_name: 'subscriptions', record_id: id, ...place });
      return id;
    },
    async ends(id, _mine, admin) {
      expect((await recordOf(admin, 'subscriptions', id)).pipeline_step_id_display).toBe('At risk');
    },
  },
  {
    words: 'I have sent Krajcik - Ondricka the prices: tick that task off',
    as: 'ben',
    async play(agent) {
      const filters = and(['title', 'contains', 'Krajcik - Ondricka'], ['is_completed', 'is_false']);
      const { data } = await agent.call('crm_manage_tasks', { action: 'list', filters, fields: ['title'], limit: 2 });
      expect(data).toHaveLength(1);
      return agent.call('crm_manage_tasks', { action: 'complete', task_id: data[0].id });
    },
    async ends({ task_id }, mine) {
      const { task } = (await mine.get(`/tasks/${task_id}`)).json;
      expect(task).toMatchObject({ is_completed: true, completed_by: mine.workspaceUserId });
    },
  },
  {
    words: 'Emma cannot write to Carter and Sons: give that task to Farid',
    as: 'ada',
    async play(agent) {
      const emma = await userCalled(agent, 'Emma');
      const farid = await userCalled(agent, 'Farid');
      const filters = and(['title', 'contains', 'Carter and Sons'], ['is_completed', 'is_false']);
      const asked = { action: 'list', assigned_to: emma, filters, fields: ['title'], limit: 2 };
      const { data } = await agent.call('crm_manage_tasks', asked);
      await agent.call('crm_manage_tasks', { action: 'update', task_id: data[0].id, assigned_to_id: farid });
      return { id: data[0].id, farid };
    },
    async ends({ id, farid }, mine) {
      const { task } = (await mine.get(`/tasks/${id}`)).json;
      expect(task).toMatchObject({ title: 'Send Carter and Sons the updated prices', assigned_to_id: farid });
    },
  },
];
