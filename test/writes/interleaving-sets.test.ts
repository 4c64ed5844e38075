/** Writes of several records at once, against each other and against writes of one. [decisions: Writing] */
import { describe, expect } from 'vitest';
import { createRecord, deleteRecord, getRecord } from '../../src/operations/records/records.ts';
import { sql } from '../../src/postgres/sql.ts';
import { chainOf } from './invariants.ts';
import { createMany, updateMany } from './sets.ts';
import { make, oneOf, perform, playAll, seed, storage, update, useStage, type Scenes, type Step } from './stage.ts';

useStage();

const changed = (object: string, ...changes: [string, object][]): Step => [updateMany, { object, changes }];

const scenes: Scenes = {
  async 'two sets with the same records, each in its own order: both are written, nobody waits for ever'() {
    const [a, b] = [await make('contacts', { last_name: 'start' }), await make('contacts', { last_name: 'start' })];
    return {
      steps: [
        changed('contacts', [a, { last_name: 'from a' }], [b, { last_name: 'from a' }]),
        changed('contacts', [b, { last_name: 'from b' }], [a, { last_name: 'from b' }]),
      ],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers.map(({ outcomes }) => outcomes)).toEqual([
          ['ok', 'ok'],
          ['ok', 'ok'],
        ]);
        const chains = [
          await chainOf(storage, 'contacts', 'last_name', a),
          await chainOf(storage, 'contacts', 'last_name', b),
        ];
        expect(chains[1]).toEqual(chains[0]);
        expect([
          ['start', 'from a', 'from b'],
          ['start', 'from b', 'from a'],
        ]).toContainEqual(chains[0]);
      },
    };
  },

  async 'a set and an update of one of its records: other fields survive'() {
    const [a, b] = [await make('contacts', { first_name: 'x' }), await make('contacts', { first_name: 'x' })];
    return {
      steps: [
        changed('contacts', [a, { first_name: 'set' }], [b, { first_name: 'set' }]),
        update('contacts', b, { job_title: 'alone' }),
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'contacts', id: b });
        expect(record).toMatchObject({ first_name: 'set', job_title: 'alone' });
      },
    };
  },

  async 'a set and the trash of one of its records: the others are written'() {
    const [a, b] = [await make('contacts', { first_name: 'x' }), await make('contacts', { first_name: 'x' })];
    return {
      steps: [
        changed('contacts', [a, { first_name: 'set' }], [b, { first_name: 'set' }]),
        [deleteRecord, { object: 'contacts', id: b }],
      ],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].outcomes).toEqual(oneOf(['ok', 'ok'], ['ok', 'RECORD_NOT_FOUND']));
        expect(await chainOf(storage, 'contacts', 'first_name', a)).toEqual(['x', 'set']);
      },
    };
  },

  async 'two sets in which two records swap their unique value: both are carried out, one after the other'() {
    const [first, second] = [`https://${crypto.randomUUID()}.test`, `https://${crypto.randomUUID()}.test`];
    const [a, b] = [
      await make('companies', { name: 'A', domain: first }),
      await make('companies', { name: 'B', domain: second }),
    ];
    return {
      steps: [
        changed('companies', [a, { domain: second }], [b, { domain: first }]),
        changed('companies', [b, { domain: second }], [a, { domain: first }]),
      ],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers.map(({ outcomes }) => outcomes)).toEqual([
          ['ok', 'ok'],
          ['ok', 'ok'],
        ]);
        const chains = [
          await chainOf(storage, 'companies', 'domain', a),
          await chainOf(storage, 'companies', 'domain', b),
        ];
        expect([chains[0]!.length, chains[0]![0], chains[1]![0]]).toEqual([chains[1]!.length, first, second]);
        const domains = [chains[0]!.at(-1), chains[1]!.at(-1)];
        expect([
          [first, second],
          [second, first],
        ]).toContainEqual(domains);
      },
    };
  },

  async 'two sets that take each other’s unique value: one record has it, and only the other is refused'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const ids = [await make('companies', { name: 'A' }), await make('companies', { name: 'B' })];
    const others = [await make('companies', { name: 'C' }), await make('companies', { name: 'D' })];
    const step = (at: number) =>
      changed('companies', [ids[at]!, { domain, name: 'Taken' }], [others[at]!, { name: 'Kept', domain: null }]);
    return {
      steps: [step(0), step(1)],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers.map(({ outcomes }) => outcomes[0]).toSorted((a, b) => a.localeCompare(b))).toEqual([
          'DUPLICATE_RECORD',
          'ok',
        ]);
        expect(answers.map(({ outcomes }) => outcomes[1])).toEqual(['ok', 'ok']);
      },
    };
  },

  async 'a set with links, and the trash of what it links to: no link to what is in the trash'() {
    const contact = await make('contacts', { first_name: 'Target' });
    const [a, b] = [await make('opportunities', { name: 'A' }), await make('opportunities', { name: 'B' })];
    return {
      steps: [
        changed('opportunities', [a, { contacts: [{ id: contact, role: 'x' }] }], [b, { contacts: [] }]),
        [deleteRecord, { object: 'contacts', id: contact }],
      ],
      check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].outcomes).toEqual(oneOf(['ok', 'ok'], ['VALIDATION_ERROR', 'ok']));
      },
    };
  },

  async 'new records, and the trash of what they point at: the one that points at it is refused, or made before'() {
    const company = await make('companies', { name: 'Target' });
    return {
      steps: [
        [createMany, { object: 'contacts', values: [{ first_name: 'n', company_id: company }, { first_name: 'm' }] }],
        [deleteRecord, { object: 'companies', id: company }],
      ],
      check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].outcomes).toEqual(oneOf(['ok', 'ok'], ['VALIDATION_ERROR', 'ok']));
      },
    };
  },

  async 'new records with one unique value, here and elsewhere: one is made'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    return {
      steps: [
        [createMany, { object: 'companies', values: [{ name: 'A', domain }, { name: 'B', domain }, { name: 'C' }] }],
        [createRecord, { object: 'companies', values: { name: 'D', domain } }],
      ],
      check({ codes, answers }) {
        expect([...answers[0].outcomes, codes[1]]).toEqual(
          oneOf(
            ['ok', 'DUPLICATE_RECORD', 'ok', 'DUPLICATE_RECORD'],
            ['DUPLICATE_RECORD', 'DUPLICATE_RECORD', 'ok', 'ok'],
          ),
        );
      },
    };
  },

  async 'two moves of one record: each is witnessed once, and the last one stays'() {
    const id = await make('opportunities', { name: 'Deal' });
    return {
      steps: [
        update('opportunities', id, { pipeline_step_id: 'Qualified' }),
        changed('opportunities', [id, { pipeline_step_id: 'Proposal' }]),
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const left = await storage.rows(sql`select s.name from ${storage.table('_pipeline_step_history')} w
          join ${storage.table('_pipeline_steps')} s on s.id = w.step_id where w.record_id = ${id}::uuid order by w.id`);
        const { record } = await perform(getRecord, { object: 'opportunities', id });
        // To go back from Proposal to Qualified is not witnessed.
        expect([record.pipeline_step_id_display, ...left.flat()]).toEqual(
          oneOf(['Proposal', 'Lead', 'Qualified'], ['Qualified', 'Lead']),
        );
      },
    };
  },
};

describe(`writes of sets, in every order of statements (seed ${seed})`, () => {
  playAll(scenes);
});
