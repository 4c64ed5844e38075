/** Merges against each other and against all else that is written, in every order of statements. [decisions: Writing] */
import { describe, expect } from 'vitest';
import { handleDuplicates } from '../../src/operations/records/duplicates.ts';
import { addListEntries } from '../../src/operations/lists/list-entries.ts';
import { createList } from '../../src/operations/lists/lists.ts';
import { createRecord, deleteRecord, getRecord, restoreRecord } from '../../src/operations/records/records.ts';
import { createTask, deleteTask } from '../../src/operations/tasks-and-notes/tasks.ts';
import { purgeRecord } from '../../src/operations/records/trash.ts';
import { sql } from '../../src/postgres/sql.ts';
import { chainOf } from './invariants.ts';
import { updateMany } from './sets.ts';
import {
  make,
  oneOf,
  perform,
  playAll,
  seed,
  storage,
  update,
  useStage,
  type Ending,
  type Scenes,
  type Step,
} from './stage.ts';

useStage();

const merge = (object_name: string, master_id: string, ...duplicate_ids: string[]): Step => [
  handleDuplicates,
  { action: 'merge', object_name, master_id, duplicate_ids, merge_strategy: 'fill_blanks' },
];
const unmerge = (object_name: string, ...duplicate_ids: string[]): Step => [
  handleDuplicates,
  { action: 'unmerge', object_name, duplicate_ids },
];
const done = async ([operation, input]: Exclude<Step, (...given: never) => unknown>) => perform(operation, input);
const company = (values: object = {}) => make('companies', { name: 'Acme', ...values });
const recordOf = async (object: string, id: string) => (await perform(getRecord, { object, id })).record;

/** No record outside the trash leads to a record in it that is merged. */
async function expectNothingLeft(): Promise<void> {
  const { rows, table } = storage;
  const merged = sql`(select m.record_id from ${table('_merges')} m)`;
  const contacts = await rows(
    sql`select from ${table('contacts')} where company_id in ${merged} and deleted_at is null`,
  );
  const deals = await rows(
    sql`select from ${table('opportunities')} where company_id in ${merged} and deleted_at is null`,
  );
  expect([contacts.length, deals.length]).toEqual([0, 0]);
  const linkTables = await rows(
    sql`select tablename from pg_tables where schemaname = ${storage.schema} and tablename like '\\_link\\_%'`,
  );
  for (const [name] of linkTables)
    expect(
      await rows(sql`select from ${table(name ?? '')} where target_id in ${merged} and source_id not in ${merged}`),
    ).toEqual([]);
}

const bothOk = async ({ codes }: Ending) => {
  expect(codes).toEqual(['ok', 'ok']);
  await expectNothingLeft();
};

const scenes: Scenes = {
  async 'a merge and an update of a duplicate: it is written before, or finds nothing'() {
    const [master, one] = [await company(), await company({ employees: 1 })];
    return {
      steps: [merge('companies', master, one), update('companies', one, { employees: 2 })],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'RECORD_NOT_FOUND']));
        const { employees } = await recordOf('companies', master);
        expect(employees).toBe(codes[1] === 'ok' ? 2 : 1);
      },
    };
  },

  async 'a merge and an update of the master: neither is lost'() {
    const [master, one] = [await company(), await company({ employees: 1 })];
    return {
      steps: [merge('companies', master, one), update('companies', master, { name: 'Renamed' })],
      async check(ending) {
        await bothOk(ending);
        expect(await recordOf('companies', master)).toMatchObject({ name: 'Renamed', employees: 1 });
      },
    };
  },

  async 'a merge and a record that is led elsewhere: it stays there'() {
    const [master, one, other] = [await company(), await company(), await company()];
    const id = await make('contacts', { company_id: one });
    return {
      steps: [merge('companies', master, one), update('contacts', id, { company_id: other, job_title: 'x' })],
      async check(ending) {
        await bothOk(ending);
        expect(await recordOf('contacts', id)).toMatchObject({ company_id: other, job_title: 'x' });
        expect(await chainOf(storage, 'contacts', 'company_id', id)).toEqual(
          oneOfChains([one, other], [one, master, other]),
        );
      },
    };
  },

  async 'a merge and a record that is led to a duplicate: to the master, or not at all'() {
    const [master, one] = [await company(), await company()];
    const id = await make('contacts', {});
    return {
      steps: [merge('companies', master, one), update('contacts', id, { company_id: one })],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'VALIDATION_ERROR']));
        await expectNothingLeft();
        expect((await recordOf('contacts', id)).company_id).toBe(codes[1] === 'ok' ? master : null);
      },
    };
  },

  async 'a merge and a new record that leads to a duplicate: to the master, or not at all'() {
    const [master, one] = [await company(), await company()];
    return {
      steps: [merge('companies', master, one), [createRecord, { object: 'contacts', values: { company_id: one } }]],
      async check({ codes, answers }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'VALIDATION_ERROR']));
        await expectNothingLeft();
        if (codes[1] === 'ok') expect((await recordOf('contacts', answers[1].id)).company_id).toBe(master);
      },
    };
  },

  async 'a merge and links of a deal that are replaced: all of both is there'() {
    const [master, one, other] = [await make('contacts', {}), await make('contacts', {}), await make('contacts', {})];
    const id = await make('opportunities', { name: 'Deal', contacts: [{ id: one, role: 'buyer' }] });
    return {
      steps: [
        merge('contacts', master, one),
        update('opportunities', id, { contacts: [{ id: other }, { id: one, role: 'boss' }] }),
      ],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'VALIDATION_ERROR']));
        await expectNothingLeft();
        const { contacts } = await recordOf('opportunities', id);
        const expected = codes[1] === 'ok' ? [other, master] : [master];
        expect(contacts.map((link: { id: string }) => link.id)).toEqual(expected);
      },
    };
  },

  async 'a merge and a set of records that lead to a duplicate: all of it is written'() {
    const [master, one] = [await company(), await company()];
    const [a, b] = [await make('contacts', { company_id: one }), await make('contacts', { company_id: one })];
    return {
      steps: [
        merge('companies', master, one),
        [
          updateMany,
          {
            object: 'contacts',
            changes: [
              [b, { job_title: 'x' }],
              [a, { job_title: 'x' }],
            ],
          },
        ],
      ],
      async check(ending) {
        await bothOk(ending);
        for (const id of [a, b])
          expect(await recordOf('contacts', id)).toMatchObject({ company_id: master, job_title: 'x' });
      },
    };
  },

  async 'a merge of companies and a merge of their contacts: neither waits for ever'() {
    const [master, one] = [await company(), await company()];
    const [a, b] = [
      await make('contacts', { company_id: one }),
      await make('contacts', { company_id: one, job_title: 'x' }),
    ];
    const deal = await make('opportunities', { name: 'Deal', company_id: one, contacts: [a, b] });
    return {
      steps: [merge('companies', master, one), merge('contacts', a, b)],
      async check(ending) {
        await bothOk(ending);
        expect(await recordOf('contacts', a)).toMatchObject({ company_id: master, job_title: 'x' });
        expect(await recordOf('opportunities', deal)).toMatchObject({ company_id: master, contacts: [{ id: a }] });
      },
    };
  },

  async 'two merges into each other: one of them is refused'() {
    const [a, b] = [await company(), await company()];
    await make('contacts', { company_id: a });
    await make('contacts', { company_id: b });
    return {
      steps: [merge('companies', a, b), merge('companies', b, a)],
      async check({ codes }) {
        expect(codes).toEqual(
          oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'], ['ok', 'MERGE_FAILED'], ['MERGE_FAILED', 'ok']),
        );
        await expectNothingLeft();
      },
    };
  },

  async 'two merges of one duplicate into two masters: one of them has it'() {
    const [a, b, one] = [await company(), await company(), await company()];
    const id = await make('contacts', { company_id: one });
    return {
      steps: [merge('companies', a, one), merge('companies', b, one)],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'MERGE_FAILED'], ['MERGE_FAILED', 'ok']));
        expect((await recordOf('contacts', id)).company_id).toBe(codes[0] === 'ok' ? a : b);
      },
    };
  },

  async 'the same merge twice: once, and both are told the same'() {
    const [master, one] = [await company(), await company()];
    await make('contacts', { company_id: one });
    return {
      steps: [merge('companies', master, one), merge('companies', master, one)],
      async check(ending) {
        await bothOk(ending);
        expect(ending.answers[1]).toEqual(ending.answers[0]);
        expect((await storage.history(one)).filter(({ action }) => action === 'delete')).toHaveLength(1);
      },
    };
  },

  async 'a merge, and the trash of a duplicate or of the master: one comes first'() {
    const [master, one] = [await company(), await company()];
    const gone = Math.random() < 0.5 ? master : one;
    return {
      steps: [merge('companies', master, one), [deleteRecord, { object: 'companies', id: gone }]],
      check({ codes }) {
        expect(codes).toEqual(
          gone === master
            ? oneOf(['ok', 'ok'], ['RECORD_NOT_FOUND', 'ok'])
            : oneOf(['ok', 'RECORD_NOT_FOUND'], ['MERGE_FAILED', 'ok']),
        );
      },
    };
  },

  async 'an unmerge and an update of the master: neither is lost'() {
    const [master, one] = [await company(), await company({ employees: 1 })];
    const id = await make('contacts', { company_id: one });
    await done(merge('companies', master, one) as never);
    return {
      steps: [unmerge('companies', one), update('companies', master, { employees: 5 })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect((await recordOf('companies', master)).employees).toBe(5);
        expect((await recordOf('contacts', id)).company_id).toBe(one);
      },
    };
  },

  async 'an unmerge and the merge again, or a restore: nothing is there twice'() {
    const [master, one] = [await company(), await company()];
    const id = await make('contacts', { company_id: one });
    await done(merge('companies', master, one) as never);
    const isRestore = Math.random() < 0.5;
    return {
      steps: [
        unmerge('companies', one),
        isRestore ? [restoreRecord, { object: 'companies', id: one }] : merge('companies', master, one),
      ],
      async check({ codes }) {
        const refused = isRestore ? ['INVALID_OPERATION', 'RECORD_NOT_FOUND'] : ['ok'];
        expect(codes[0]).toBe('ok');
        expect(refused).toContain(codes[1]);
        expect([one, master]).toContain((await recordOf('contacts', id)).company_id);
        await expectNothingLeft();
      },
    };
  },

  async 'a merge and a list that master and duplicate come onto: the master is on it once'() {
    const [master, one] = [await company(), await company()];
    const { id } = await perform(createList, { name: 'List', object_types: ['companies'] });
    return {
      steps: [
        merge('companies', master, one),
        [addListEntries, { id, object_type: 'companies', record_ids: [one, master] }],
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const entries = await storage.rows(
          sql`select from ${storage.table('_list_entries')} where list_id = ${String(id)}::uuid and record_id = ${master}::uuid`,
        );
        expect(entries).toHaveLength(1);
      },
    };
  },

  async 'a merge, and a task that is linked to a duplicate or goes'() {
    const [master, one] = [await company(), await company()];
    const linked_entities = [{ id: one, type: 'companies' }];
    const { task_id } = await perform(createTask, { title: 'Call', linked_entities });
    const isNew = Math.random() < 0.5;
    return {
      steps: [
        merge('companies', master, one),
        isNew ? [createTask, { title: 'New', linked_entities }] : [deleteTask, { id: task_id }],
      ],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'RECORD_NOT_FOUND']));
        await expectNothingLeft();
      },
    };
  },

  async 'a merge and a purge of a record in the trash that leads to a duplicate'() {
    const [master, one] = [await company(), await company()];
    const id = await make('contacts', { company_id: one });
    await perform(deleteRecord, { object: 'contacts', id });
    return {
      steps: [merge('companies', master, one), [purgeRecord, { object: 'contacts', id }]],
      check: bothOk,
    };
  },

  async 'a merge that fills a unique value, and a new record with it: it is never there twice, and never free'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const [master, one] = [await company(), await company({ domain })];
    return {
      steps: [
        merge('companies', master, one),
        [createRecord, { object: 'companies', values: { name: 'New', domain } }],
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'DUPLICATE_RECORD']);
        expect((await recordOf('companies', master)).domain).toBe(domain);
      },
    };
  },
};

function oneOfChains(...chains: readonly string[][]): unknown {
  return { asymmetricMatch: (chain: readonly string[]) => chains.some((expected) => expected.join() === chain.join()) };
}

describe(`merges beside other writes, in every order of statements (seed ${seed})`, () => {
  playAll(scenes);
});
