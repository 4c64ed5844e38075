/** Two writes of one record at once. [spec: Records; decisions: Writing] */
import { describe, expect, it } from 'vitest';
import {
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  restoreRecord,
  updateRecord,
} from '../../src/operations/records/records.ts';
import { sql, statement } from '../../src/postgres/sql.ts';
import { chainOf } from './invariants.ts';
import {
  blocked,
  make,
  oneOf,
  perform,
  playAll,
  seed,
  storage,
  update,
  useStage,
  type Scenes,
  type Step,
} from './stage.ts';

useStage();

/** History goes from `start` by one of the two updates to the other. */
async function expectBothIn(object: string, field: string, id: string): Promise<void> {
  expect([
    ['start', 'from a', 'from b'],
    ['start', 'from b', 'from a'],
  ]).toContainEqual(await chainOf(storage, object, field, id));
}

const scenes: Scenes = {
  async 'update and update of one field: history is one chain, the last one stays'() {
    const id = await make('contacts', { last_name: 'start' });
    return {
      steps: [update('contacts', id, { last_name: 'from a' }), update('contacts', id, { last_name: 'from b' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        await expectBothIn('contacts', 'last_name', id);
      },
    };
  },

  async 'update of two fields: both survive, in row, search and history'() {
    const id = await make('contacts', { first_name: 'start', job_title: 'start' });
    return {
      steps: [update('contacts', id, { first_name: 'annabel' }), update('contacts', id, { job_title: 'botanist' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'contacts', id });
        expect(record).toMatchObject({ first_name: 'annabel', job_title: 'botanist' });
        const found = await perform(listRecords, {
          object: 'contacts',
          search: 'annabel botanist',
          filters: JSON.stringify({ type: 'AND', conditions: [{ field: 'id', operator: 'equals', value: id }] }),
        });
        expect(found.total).toBe(1);
        expect(await chainOf(storage, 'contacts', 'first_name', id)).toEqual(['start', 'annabel']);
        expect(await chainOf(storage, 'contacts', 'job_title', id)).toEqual(['start', 'botanist']);
      },
    };
  },

  async 'an update in several statements, and one in a single statement, of one field: history is one chain'() {
    const [linked, id] = [await make('contacts', {}), await make('opportunities', { name: 'start' })];
    return {
      steps: [
        update('opportunities', id, { contacts: [linked], name: 'from a' }),
        update('opportunities', id, { name: 'from b' }),
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        await expectBothIn('opportunities', 'name', id);
      },
    };
  },

  async 'an update in several statements, and one that changes nothing: it shows what was there before or after'() {
    const [linked, id] = [await make('contacts', {}), await make('opportunities', { name: 'start' })];
    return {
      steps: [
        update('opportunities', id, { contacts: [linked], name: 'made' }),
        update('opportunities', id, { name: 'start' }),
      ],
      async check({ codes, answers: [, { record }] }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(record.name).toBe('start');
        const chain = await chainOf(storage, 'opportunities', 'name', id);
        expect([
          ['start', 'made'],
          ['start', 'made', 'start'],
        ]).toContainEqual(chain);
      },
    };
  },

  async 'one unique value twice: one is made, and the refusal names it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const step = (name: string): Step => [createRecord, { object: 'companies', values: { name, domain } }];
    return {
      steps: [step('First'), step('Second')],
      async check({ codes, answers }) {
        expect(codes).toEqual(oneOf(['ok', 'DUPLICATE_RECORD'], ['DUPLICATE_RECORD', 'ok']));
        const { id } = answers.find((answer) => answer !== undefined);
        await expect(perform(createRecord, { object: 'companies', values: { name: 'Third', domain } })).rejects.toThrow(
          `domain: ${id}`,
        );
      },
    };
  },

  async 'a unique value that is updated to, and created: one of them has it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const id = await make('companies', { name: 'Changing' });
    return {
      steps: [
        update('companies', id, { domain }),
        [createRecord, { object: 'companies', values: { name: 'New', domain } }],
      ],
      check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'DUPLICATE_RECORD'], ['DUPLICATE_RECORD', 'ok']));
      },
    };
  },

  async 'a unique value out of the trash, and created: one of them has it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const id = await make('companies', { name: 'Trashed', domain });
    await perform(deleteRecord, { object: 'companies', id });
    return {
      steps: [
        [restoreRecord, { object: 'companies', id }],
        [createRecord, { object: 'companies', values: { name: 'New', domain } }],
      ],
      async check({ codes }) {
        if (codes[0] !== 'ok')
          await expect(perform(restoreRecord, { object: 'companies', id })).rejects.toThrow(
            new RegExp(`^${id} .*domain: [0-9a-f-]{36}$`),
          );
        expect(codes).toEqual(oneOf(['ok', 'DUPLICATE_RECORD'], ['DUPLICATE_RECORD', 'ok']));
      },
    };
  },

  async 'trash and update: nothing is written to a record in the trash'() {
    const id = await make('contacts', { last_name: 'start' });
    return {
      steps: [[deleteRecord, { object: 'contacts', id }], update('contacts', id, { last_name: 'late' })],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'RECORD_NOT_FOUND']));
        const chain = await chainOf(storage, 'contacts', 'last_name', id);
        expect(chain).toEqual(codes[1] === 'ok' ? ['start', 'late'] : ['start']);
      },
    };
  },

  async 'trash and trash: one of them does it'() {
    const id = await make('contacts', {});
    const step: Step = [deleteRecord, { object: 'contacts', id }];
    return {
      steps: [step, step],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'restore and restore: one of them does it'() {
    const id = await make('contacts', {});
    await perform(deleteRecord, { object: 'contacts', id });
    const step: Step = [restoreRecord, { object: 'contacts', id }];
    return {
      steps: [step, step],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'trash and restore: one after the other'() {
    const id = await make('contacts', {});
    await perform(deleteRecord, { object: 'contacts', id });
    return {
      steps: [
        [deleteRecord, { object: 'contacts', id }],
        [restoreRecord, { object: 'contacts', id }],
      ],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'ok'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },
};

it('an update that changes nothing waits for no lock, and leaves no history', async () => {
  const id = await make('contacts', { last_name: 'same' });
  const lock = statement(sql`select from ${storage.table('contacts')} where id = ${id}::uuid for update`);
  const { record } = await storage.database.transaction('storage', async (tx) => {
    if (storage.database.engine !== 'citus') await tx.run(lock); // there every update locks (decision 0022)
    return perform(updateRecord, { object: 'contacts', id, values: { last_name: 'same' } });
  });
  expect(record.last_name).toBe('same');
  expect((await storage.history(id)).map(({ action }) => action)).toEqual(['create']);
});

it('an update that is overtaken starts anew if the model has changed, too', async () => {
  const id = await make('contacts', { last_name: 'start' });
  const rewrite = sql`update ${storage.table('contacts')} set updated_at = updated_at where id = ${id}::uuid`;
  const late = await storage.database.transaction('storage', async (tx) => {
    await tx.run(statement(rewrite));
    const update = perform(updateRecord, { object: 'contacts', id, values: { last_name: 'late' } });
    await expect.poll(blocked).toContain('kith_a');
    await tx.run(statement(sql`update ${storage.table('_organization')} set model_version = model_version + 1`));
    return { update };
  });
  expect((await late.update).record.last_name).toBe('late');
  expect(await chainOf(storage, 'contacts', 'last_name', id)).toEqual(['start', 'late']);
});

describe(`two writes of one record, in every order of statements (seed ${seed})`, () => {
  playAll(scenes);
});
