/** Lists and their entries against each other, and against the end of records: nothing waits for ever, nothing is left over. [spec: crm_manage_lists] */
import { expect } from 'vitest';
import {
  addListEntries,
  listEntries,
  removeListEntries,
  updateListEntry,
} from '../../src/operations/lists/list-entries.ts';
import { createList, deleteList, updateList } from '../../src/operations/lists/lists.ts';
import { createRecord, deleteRecord, getRecord } from '../../src/operations/records/records.ts';
import { purgeRecord, purgeTrash } from '../../src/operations/records/trash.ts';
import { sql } from '../../src/postgres/sql.ts';
import { make, oneOf, perform, playAll, storage, tokenOfAdmin, useStage, type Scenes, type Step } from './stage.ts';

useStage();

const fields = ['stage', 'note'].map((name) => ({ name, type: 'TEXT' }));

async function newList(recordIds: readonly string[] = []): Promise<string> {
  const records = recordIds.length > 0 && { record_ids: recordIds };
  const values = { name: 'A list', object_types: ['contacts'], fields, ...records };
  return String((await perform(createList, values)).id);
}
const two = async () =>
  [await make('contacts', { last_name: 'a' }), await make('contacts', { last_name: 'b' })] as const;
const add = (id: string, recordIds: readonly string[], entryFields = {}): Step => [
  addListEntries,
  { id, object_type: 'contacts', record_ids: recordIds, entry_fields: entryFields },
];
const remove = (id: string, recordIds: readonly string[]): Step => [
  removeListEntries,
  { id, object_type: 'contacts', record_ids: recordIds },
];
const entriesOf = async (id: string) =>
  (await storage.rows(sql`select record_id from ${storage.table('_list_entries')} where list_id = ${id}::uuid`)).map(
    ([recordId]) => recordId,
  );
const entriesWithoutEnds = async () =>
  storage.rows(sql`select e.id from ${storage.table('_list_entries')} e
    where not exists (select from ${storage.table('_lists')} l where l.id = e.list_id)
      or not exists (select from ${storage.table('contacts')} c where c.id = e.record_id)`);

const scenes: Scenes = {
  async 'the same records come onto a list twice, each in its own order: each is on it once'() {
    const [a, b] = await two();
    const id = await newList();
    return {
      steps: [add(id, [a, b]), add(id, [b, a])],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].added + answers[1].added).toBe(2);
        expect(answers[0].skipped_already_in_list + answers[1].skipped_already_in_list).toBe(2);
        expect(await entriesOf(id)).toHaveLength(2);
      },
    };
  },

  async 'records come onto a list that is deleted: they are on it no more, and none is left'() {
    const [a, b] = await two();
    const id = await newList([b]);
    return {
      steps: [add(id, [a, b]), [deleteList, { id }]],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['RECORD_NOT_FOUND', 'ok']));
        expect(await entriesOf(id)).toEqual([]);
        expect(await entriesWithoutEnds()).toEqual([]);
      },
    };
  },

  async 'a new record names a list that is deleted: the record stays'() {
    const id = await newList();
    return {
      steps: [
        [createRecord, { object: 'contacts', values: { last_name: 'new', add_to_list_ids: [id] } }],
        [deleteList, { id }],
      ],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(await entriesOf(id)).toEqual([]);
        const { record } = await perform(getRecord, { object: 'contacts', id: answers[0].id });
        expect(record).toMatchObject({ last_name: 'new' });
      },
    };
  },

  async 'a record comes onto a list and goes for good: no entry is left'() {
    const [a, b] = await two();
    const id = await newList();
    return {
      steps: [
        add(id, [a, b]),
        async (engine) => {
          await engine.perform(tokenOfAdmin(), deleteRecord, { object: 'contacts', id: b });
          return engine.perform(tokenOfAdmin(), purgeRecord, { object: 'contacts', id: b });
        },
      ],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].added + answers[0].failed).toBe(2);
        expect(await entriesOf(id)).toEqual([a]);
      },
    };
  },

  async 'a list is deleted while its records go for good'() {
    const [a, b] = await two();
    const id = await newList([b, a]);
    for (const record of [a, b]) await perform(deleteRecord, { object: 'contacts', id: record });
    return {
      steps: [
        [deleteList, { id }],
        [purgeTrash, { older_than_days: 0 }],
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(await entriesWithoutEnds()).toEqual([]);
      },
    };
  },

  async 'the same records are taken off twice, each in its own order: each once'() {
    const [a, b] = await two();
    const id = await newList([b, a]);
    return {
      steps: [remove(id, [a, b]), remove(id, [b, a])],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].removed + answers[1].removed).toBe(2);
        expect(await entriesOf(id)).toEqual([]);
      },
    };
  },

  async 'records are taken off and put on'() {
    const [a, b] = await two();
    const id = await newList([b, a]);
    return {
      steps: [remove(id, [a, b]), add(id, [b, a])],
      async check({ codes, answers }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(answers[0].removed).toBe(2);
        expect(await entriesOf(id)).toHaveLength(answers[1].added);
      },
    };
  },

  async 'two fields of one entry are changed: both values stay'() {
    const [a] = await two();
    const id = await newList([a]);
    const { data } = await perform(listEntries, { id });
    const entry = (data as { entry_id: string }[])[0]?.entry_id;
    const change = (entryFields: object): Step => [updateListEntry, { id, entry_id: entry, entry_fields: entryFields }];
    return {
      steps: [change({ stage: 'hot' }), change({ note: 'called' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect((await perform(listEntries, { id })).data).toMatchObject([
          { entry_fields: { stage: 'hot', note: 'called' } },
        ]);
      },
    };
  },

  async 'a field is taken away while a record comes with a value in it: one of the two is refused'() {
    const [a] = await two();
    const id = await newList();
    return {
      steps: [add(id, [a], { stage: 'hot' }), [updateList, { id, fields: [{ name: 'note', type: 'TEXT' }] }]],
      check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'DESTRUCTIVE_CHANGE'], ['VALIDATION_ERROR', 'ok']));
      },
    };
  },
};

playAll(scenes);
