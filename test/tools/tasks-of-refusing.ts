/** What a role forbids: it is not done, and nothing of it is told. */
import { expect } from 'vitest';
import { and, recordsOf, recordOf, theOne, userCalled, type Task } from './task-table.ts';

export const refusing: readonly Task[] = [
  {
    words: 'What does Luettgen and Sons earn a year?',
    as: 'hana',
    async play(agent) {
      const { data } = await agent.call('crm_find_records', { object_name: 'companies', search: 'Luettgen', limit: 1 });
      const fields = ['annual_revenue'];
      return [
        data[0],
        await agent.call('crm_find_records', { object_name: 'companies', record_id: data[0].id, fields }),
      ];
    },
    async ends([company, refused], _mine, admin) {
      expect(refused.code).toBe('INVALID_FIELD');
      const { annual_revenue } = await recordOf(admin, 'companies', company.id);
      expect(annual_revenue.amount).toBeGreaterThan(0);
      expect(JSON.stringify([company, refused])).not.toContain(String(annual_revenue.amount));
      expect(refused.available_values).not.toContain('annual_revenue');
    },
  },
  {
    words: 'Delete the contact Myra Corwin',
    as: 'clara',
    async play(agent) {
      const { id } = await theOne(agent, 'contacts', 'Myra Corwin', ['full_name']);
      return {
        id,
        ...(await agent.call('crm_save_record', { action: 'delete', object_name: 'contacts', record_id: id })),
      };
    },
    async ends({ id, code }, _mine, admin) {
      expect(code).toBe('PERMISSION_DENIED');
      expect((await recordOf(admin, 'contacts', id)).full_name).toBe('Myra Corwin');
    },
  },
  {
    words: 'Show me what Emma Laurent sells',
    as: 'diego',
    async play(agent) {
      const filters = and(['owner', 'equals', await userCalled(agent, 'Emma')]);
      return agent.call('crm_find_records', { object_name: 'opportunities', filters, fields: ['name'] });
    },
    async ends({ data, total }, mine, admin) {
      expect([data, total]).toEqual([[], 0]);
      expect(
        (await recordsOf(admin, 'opportunities', and(['owner', 'not_equals', mine.workspaceUserId]))).total,
      ).toBeGreaterThan(0);
    },
  },
  {
    words: 'Export all contacts',
    as: 'ben',
    play: (agent) => agent.call('crm_export_records', { object_name: 'contacts', format: 'csv', max_tokens: 2_000 }),
    async ends(told) {
      expect(told).toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(JSON.stringify(told)).not.toContain('@');
    },
  },
];
