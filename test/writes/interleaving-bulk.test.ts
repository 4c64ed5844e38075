/** Bulk changes against each other and against writes of one record. [spec: Bulk] */
import { describe, expect } from 'vitest';
import { bulkUpdate } from '../../src/operations/records/bulk.ts';
import { deleteRecord, getRecord } from '../../src/operations/records/records.ts';
import { chainOf } from './invariants.ts';
import { make, oneOf, perform, playAll, seed, storage, update, useStage, type Scenes, type Step } from './stage.ts';

useStage();

const set = (object: string, field: string, value: unknown, ids: readonly string[]): Step => [
  bulkUpdate,
  { action: 'update_field', object_name: object, field_name: field, field_value: value, record_ids: ids },
];
const relate = (action: string, ids: readonly string[], targets: readonly string[]): Step => [
  bulkUpdate,
  { action, object_name: 'opportunities', relation_field: 'contacts', record_ids: ids, target_ids: targets },
];
const linksOf = async (id: string): Promise<string[]> => {
  const { record } = await perform(getRecord, { object: 'opportunities', id });
  return (record as { contacts: { id: string }[] }).contacts.map((link) => link.id);
};

const scenes: Scenes = {
  async 'two changes of the same records, each in its own order: both are written, in one order for all'() {
    const ids = [await make('contacts', { last_name: 'start' }), await make('contacts', { last_name: 'start' })];
    return {
      steps: [set('contacts', 'last_name', 'from a', ids), set('contacts', 'last_name', 'from b', ids.toReversed())],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers.map(({ updated, failed }) => [updated, failed])).toEqual([
          [2, 0],
          [2, 0],
        ]);
        const [one, other] = await Promise.all(ids.map((id) => chainOf(storage, 'contacts', 'last_name', id)));
        expect(one).toEqual(other);
        expect(one).toEqual(oneOf(['start', 'from a', 'from b'], ['start', 'from b', 'from a']));
      },
    };
  },

  async 'a change and the trash of one of its records: the other is changed'() {
    const ids = [await make('contacts', { last_name: 'start' }), await make('contacts', { last_name: 'start' })];
    return {
      steps: [set('contacts', 'last_name', 'bulk', ids), [deleteRecord, { object: 'contacts', id: ids[0] }]],
      check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect([answers[0].updated, answers[0].failed].map(String)).toEqual(oneOf(['2', '0'], ['1', '1']));
      },
    };
  },

  async 'a change and an update of one of its records: other fields survive'() {
    const ids = [await make('contacts', { last_name: 'start' }), await make('contacts', { last_name: 'start' })];
    return {
      steps: [set('contacts', 'last_name', 'bulk', ids), update('contacts', ids[1]!, { job_title: 'alone' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'contacts', id: ids[1] });
        expect(record).toMatchObject({ last_name: 'bulk', job_title: 'alone' });
      },
    };
  },

  async 'one unique value for two sets: one record has it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const ids = [await make('companies', { name: 'A' }), await make('companies', { name: 'B' })];
    const others = [await make('companies', { name: 'C' }), await make('companies', { name: 'D' })];
    return {
      steps: [set('companies', 'domain', domain, ids), set('companies', 'domain', domain, others)],
      check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers.reduce((sum, { updated }) => sum + updated, 0)).toBe(1);
      },
    };
  },

  async 'the same links twice: each is there once'() {
    const target = await make('contacts', { last_name: 'Target' });
    const ids = [await make('opportunities', { name: 'A' }), await make('opportunities', { name: 'B' })];
    return {
      steps: [relate('add_relation', ids, [target]), relate('add_relation', ids.toReversed(), [target])],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers.map(({ processed }) => processed)).toEqual([2, 2]);
        expect(await Promise.all(ids.map(linksOf))).toEqual([[target], [target]]);
      },
    };
  },

  async 'a link that comes and goes: it is there or not, and history agrees'() {
    const target = await make('contacts', { last_name: 'Target' });
    const ids = [
      await make('opportunities', { name: 'A', contacts: [target] }),
      await make('opportunities', { name: 'B' }),
    ];
    return {
      steps: [relate('add_relation', ids, [target]), relate('remove_relation', ids, [target])],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        const links = await Promise.all(ids.map(linksOf));
        expect([String(answers[1].removed), String(links.flat().length)]).toEqual(oneOf(['2', '0'], ['1', '2']));
      },
    };
  },

  async 'links, and the trash of what they lead to: no link to what is in the trash'() {
    const target = await make('contacts', { last_name: 'Target' });
    const ids = [await make('opportunities', { name: 'A' }), await make('opportunities', { name: 'B' })];
    return {
      steps: [relate('add_relation', ids, [target]), [deleteRecord, { object: 'contacts', id: target }]],
      check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect([String(answers[0].processed)]).toEqual(oneOf(['2'], ['0']));
      },
    };
  },
};

describe(`bulk changes, in every order of statements (seed ${seed})`, () => {
  playAll(scenes);
});
