/** Finding and comparing. */
import { expect } from 'vitest';
import type { Told } from './player.ts';
import { and, inDays, recordsOf, stepCalled, theOne, userCalled, type Task } from './task-table.ts';

export const finding: readonly Task[] = [
  {
    words: 'What is the e-mail address of Anna Corwin, and where does she work?',
    as: 'ada',
    play: (agent) => theOne(agent, 'contacts', 'Anna Corwin', ['full_name', 'emails', 'company_id']),
    async ends({ emails, company_id_display }) {
      expect(emails[0].email).toBe('anna.corwin@christiansen-bogisich-and-mills.example');
      expect(company_id_display).toBe('Christiansen, Bogisich and Mills');
    },
  },
  {
    words: 'Which of my deals are in negotiation, the largest first?',
    as: 'diego',
    async play(agent) {
      const filters = and(
        ['owner', 'equals', '$me'],
        ['pipeline_step_id', 'equals', await stepCalled(agent, 'Negotiation')],
      );
      const sort = [{ field: 'amount', direction: 'desc' }];
      return agent.call('crm_find_records', {
        object_name: 'opportunities',
        filters,
        sort,
        fields: ['name', 'amount'],
      });
    },
    async ends({ data, total }, mine) {
      expect(data).toHaveLength(total);
      const { pipelines } = (await mine.get('/pipelines')).json;
      const steps = pipelines.flatMap(({ steps: own }: Told) => own);
      const { id: step } = steps.find(({ name }: Told) => name === 'Negotiation');
      const owned = and(['owner', 'equals', mine.workspaceUserId], ['pipeline_step_id', 'equals', step]);
      const { data: negotiated } = await recordsOf(mine, 'opportunities', owned, { limit: 100 });
      expect(new Set(data.map(({ id }: Told) => id))).toEqual(new Set(negotiated.map(({ id }: Told) => id)));
    },
  },
  {
    words: 'Which software companies have more than 1,000 people?',
    as: 'ben',
    play: (agent) =>
      agent.call('crm_find_records', {
        object_name: 'companies',
        filters: and(['industry', 'equals', 'software'], ['employees', 'greater_than', 1_000]),
        fields: ['name', 'employees'],
        max_tokens: 1_000,
      }),
    async ends({ data, total }) {
      expect(total).toBe(5);
      expect(data.map(({ name }: Told) => name)).toContain('Luettgen and Sons');
    },
  },
  {
    words: 'What meetings are there in the next seven days?',
    as: 'ada',
    play: (agent) =>
      agent.call('crm_find_events', {
        start_date: inDays(1),
        end_date: inDays(7),
        fields: ['title', 'start_time', 'attendees'],
        max_tokens: 3_000,
      }),
    async ends({ events, total }, mine) {
      const { json } = await mine.get('/meetings', { start_date: inDays(1), end_date: inDays(7), limit: 200 });
      expect(total).toBe(json.total);
      expect(events[0].title).toBe(json.events[0].title);
    },
  },
  {
    words: 'What was said last with Cormier LLC, by messages, tasks or notes?',
    as: 'ada',
    async play(agent) {
      const { id } = await theOne(agent, 'companies', 'Cormier LLC', ['name']);
      return agent.call('crm_find_activity', {
        object_name: 'companies',
        record_id: id,
        view: 'timeline',
        limit: 5,
        fields: ['date', 'subject', 'title', 'preview', 'participants'],
      });
    },
    async ends({ timeline, record }, mine) {
      const { json } = await mine.get(`/activity/companies/${record.id}`, { view: 'timeline', limit: 5 });
      expect(timeline.length).toBeGreaterThan(0);
      expect(timeline.map(({ id }: Told) => id)).toEqual(json.timeline.map(({ id }: Told) => id));
    },
  },
  {
    words: 'Which tasks of Emma Laurent are overdue?',
    as: 'ada',
    async play(agent) {
      const assigned_to = await userCalled(agent, 'Emma');
      return agent.call('crm_manage_tasks', {
        action: 'list',
        mode: 'overdue',
        assigned_to,
        fields: ['title', 'due_date'],
      });
    },
    async ends({ data, total }) {
      expect(total).toBe(data.length);
      expect(data.map(({ title }: Told) => title)).toContain('Send Carter and Sons the updated prices');
    },
  },
  {
    words: 'Read me the newest e-mail conversation in my inbox',
    as: 'ben',
    async play(agent) {
      const { data } = await agent.call('crm_inbox', {
        action: 'list_threads',
        channel: 'email',
        limit: 1,
        fields: ['subject'],
      });
      const fields = ['date', 'direction', 'content', 'participants'];
      return agent.call('crm_inbox', { action: 'get_thread', thread_id: data[0].id, fields, max_tokens: 3_000 });
    },
    async ends({ thread, messages }, mine) {
      const [newest] = (await mine.get('/inbox/threads', { channel: 'email', limit: 1 })).json.data;
      expect([thread.id, messages.length > 0]).toEqual([newest.id, true]);
      expect(messages[0].content).toContain('\n');
    },
  },
];

export const comparing: readonly Task[] = [
  {
    words: 'Who has the most in open deals?',
    as: 'ada',
    play: (agent) =>
      agent.call('crm_aggregate_records', {
        object_name: 'opportunities',
        field: 'open_amount',
        function: 'SUM',
        group_by: 'owner',
      }),
    async ends({ results }) {
      expect(results[0].display).toBe('Emma Laurent');
    },
  },
  {
    words: 'Which industry have we won the most from?',
    as: 'ben',
    async play(agent) {
      const filters = and(['pipeline_step_id', 'equals', await stepCalled(agent, 'Won')]);
      const asked = { object_name: 'opportunities', field: 'amount', function: 'SUM', group_by: 'company_id.industry' };
      return agent.call('crm_aggregate_records', { ...asked, filters });
    },
    async ends({ results }) {
      expect(results[0].group).toBe('software');
    },
  },
  {
    words: 'How many deals stand at each step, and what are they worth?',
    as: 'ada',
    async play(agent) {
      const asked = { object_name: 'opportunities', group_by: 'pipeline_step_id' };
      const { results: counts } = await agent.call('crm_aggregate_records', {
        ...asked,
        field: 'id',
        function: 'COUNT',
      });
      const { results: sums } = await agent.call('crm_aggregate_records', {
        ...asked,
        field: 'amount',
        function: 'SUM',
      });
      return { counts, sums };
    },
    async ends({ counts, sums }) {
      expect(counts.reduce((sum: number, { value }: Told) => sum + value, 0)).toBe(600);
      expect(sums).toHaveLength(6);
    },
  },
];
