/** How often each endpoint goes to the database. The numbers are fixed: one more is a decision, not an accident. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateRecords } from '../../src/operations/records/aggregate.ts';
import { createRecords } from '../../src/operations/records/batch.ts';
import { exportRecords } from '../../src/operations/exports/export.ts';
import { recordHistory } from '../../src/operations/records/history.ts';
import { importRecords } from '../../src/operations/imports/import.ts';
import { integrationStatus } from '../../src/operations/conversations/integrations.ts';
import { applyManifest } from '../../src/operations/workspace/manifest.ts';
import { listLimits } from '../../src/operations/people/limits.ts';
import { getMe } from '../../src/operations/people/me.ts';
import { createNote, deleteNote, getNote, listNotes, updateNote } from '../../src/operations/tasks-and-notes/notes.ts';
import { listNotifications, markAllNotifications } from '../../src/operations/following/notifications.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  restoreRecord,
  updateRecord,
} from '../../src/operations/records/records.ts';
import { searchEverything } from '../../src/operations/records/search.ts';
import { getObjectSchema, listSchema } from '../../src/operations/workspace/schema.ts';
import {
  completeTask,
  createTask,
  getTask,
  listTasks,
  taskStats,
  updateTask,
} from '../../src/operations/tasks-and-notes/tasks.ts';
import { listUsers } from '../../src/operations/people/users.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createUser } from '../../src/provision/users.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { codeOf, createEngine, firstOrganization, type Engine } from '../support/engine.ts';

/** What was sent since the last look, in order: `read 2` is one batch of two statements, `run` one statement that commits by itself. */
let sent: string[] = [];
let database: TestDatabase;
let engine: Engine;
let token: string;
let schema: string;
let member: string;

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(counted(database.database));
  const organization = await firstOrganization(engine, database.database);
  ({ token, schemaName: schema } = organization);
  await perform(getMe, {});
  const user = { name: 'Bob', email: 'bob@kith.test', role: 'Member' };
  member = (await createUser(engine.deps, organization.organizationId, user)).workspaceUserId;
});
afterAll(() => database.drop());

function counted(wrapped: Database): Database {
  return {
    ...wrapped,
    read(affinity, statements) {
      sent.push(`read ${statements.length}`);
      return wrapped.read(affinity, statements);
    },
    run(affinity, wanted) {
      sent.push('run');
      return wrapped.run(affinity, wanted);
    },
    write(affinity, wanted, limitMs, signal) {
      sent.push('write');
      return wrapped.write(affinity, wanted, limitMs, signal);
    },
    stream(affinity, wanted, batch) {
      sent.push('stream');
      return wrapped.stream(affinity, wanted, batch);
    },
    async transaction(affinity, body) {
      let statements = 0;
      try {
        return await wrapped.transaction(affinity, (tx) =>
          body({
            run(wanted) {
              statements++;
              return tx.run(wanted);
            },
            script(text) {
              statements++;
              return tx.script(text);
            },
            copyOut: (text, take) => tx.copyOut(text, take),
            copyIn: (text, feed) => tx.copyIn(text, feed),
          }),
        );
      } finally {
        sent.push(`transaction ${statements}`);
      }
    },
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
function perform(operation: Operation, input: object): Promise<any> {
  return engine.perform(token, operation, input);
}

const make = async (object: string, values: object): Promise<string> =>
  String((await perform(createRecord, { object, values })).id);
const another = async (): Promise<string> => {
  const { organizationId } = await perform(getMe, {});
  const given = { name: 'Bob', email: `${crypto.randomUUID()}@kith.test`, role: 'Member' };
  return (await createUser(engine.deps, organizationId, given)).workspaceUserId;
};
const filters = JSON.stringify({ type: 'AND', conditions: [{ field: 'job_title', operator: 'contains', value: 'x' }] });
const note = async (): Promise<string> => String((await perform(createNote, { content: 'x' })).note_id);
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ first_name: `Row ${index}` }));

type Case = readonly [
  what: string,
  request: () => Promise<readonly [Operation, object]>,
  sent: readonly string[],
  // A write on Citus is plain statements, each of which goes to one server (decision 0022).
  onCitus?: readonly string[],
];

const get =
  (operation: Operation, input: object = {}) =>
  () =>
    Promise.resolve([operation, input] as const);
const onContact =
  (operation: Operation, more: object = {}) =>
  async () =>
    [operation, { object: 'contacts', id: await make('contacts', {}), ...more }] as const;

const onTask =
  (operation: Operation, more: object = {}) =>
  async () => {
    const { task_id: id } = await perform(createTask, { title: 'x' });
    return [operation, { id, ...more }] as const;
  };

// In a transaction, the first statement checks the caller, and begin and commit are not counted.
const cases: readonly Case[] = [
  ['GET /me', get(getMe), ['read 2']],
  ['GET /limits', get(listLimits), ['read 1']],
  ['GET /users, a page and its total', get(listUsers), ['read 2']],
  ['GET /integrations/status', get(integrationStatus), ['read 2']],
  ['GET /schema', get(listSchema), ['read 1']],
  ['GET /schema/:object', get(getObjectSchema, { object: 'contacts' }), ['read 1']],
  ['GET /records/:object', get(listRecords, { object: 'contacts' }), ['read 2']],
  [
    '… filtered, sorted and searched',
    get(listRecords, { object: 'contacts', filters, search: 'x', sort_by: 'job_title' }),
    ['read 2'],
  ],
  ['… with relations and links', get(listRecords, { object: 'opportunities', limit: 100 }), ['read 2']],
  ['GET /search, five objects in one trip', get(searchEverything, { query: 'anna' }), ['read 6']],
  ['GET /records/:object/:id', onContact(getRecord), ['read 2']],
  [
    '… as of a time: what was, then what is shown of it',
    onContact(getRecord, { as_of: '2999-01-01' }),
    ['read 2', 'read 2'],
  ],
  ['GET /records/:object/:id/history', onContact(recordHistory), ['read 2']],
  [
    'POST /records/:object',
    get(createRecord, { object: 'contacts', values: { first_name: 'x' } }),
    ['write'],
    ['transaction 6'],
  ],
  [
    '… with a relation',
    async () => [createRecord, { object: 'contacts', values: { company_id: await make('companies', { name: 'x' }) } }],
    ['write'],
    ['transaction 6'],
  ],
  [
    '… with links: check, targets, links, change, record',
    async () => [
      createRecord,
      { object: 'opportunities', values: { name: 'x', contacts: [await make('contacts', {})] } },
    ],
    ['transaction 5'],
    ['transaction 8'],
  ],
  ['PUT /records/:object/:id', onContact(updateRecord, { values: { first_name: 'x' } }), ['write'], ['transaction 8']],
  [
    '… in any state that there is',
    onContact(updateRecord, { values: { first_name: 'x' }, if_match: '*' }),
    ['write'],
    ['transaction 8'],
  ],
  [
    '… with links: check, lock, judge, stored links, targets, links, change, record',
    async () => [
      updateRecord,
      {
        object: 'opportunities',
        id: await make('opportunities', { name: 'x' }),
        values: { contacts: [await make('contacts', {})] },
      },
    ],
    ['transaction 8'],
    ['transaction 11'],
  ],
  [
    'DELETE /records/:object/:id: check, lock, judge, change',
    onContact(deleteRecord),
    ['transaction 4'],
    ['transaction 7'],
  ],
  [
    'POST /records/:object/:id/restore: check, lock, judge, merged, change, read',
    async () => {
      const id = await make('contacts', {});
      await perform(deleteRecord, { object: 'contacts', id });
      return [restoreRecord, { object: 'contacts', id }];
    },
    ['transaction 6'],
    ['transaction 9'],
  ],
  [
    'POST /import/:object: check, savepoint, rows, release, job, five of the audit',
    get(importRecords, { object: 'contacts', records: rows(1000) }),
    ['transaction 10'],
    ['transaction 13'],
  ],
  [
    '… of three thousand rows',
    get(importRecords, { object: 'contacts', records: rows(3000) }),
    ['transaction 16'],
    ['transaction 25'],
  ],
  [
    'POST /records/:object/batch/create, and its read',
    get(createRecords, { object: 'contacts', records: rows(100) }),
    ['transaction 5'],
    ['transaction 8'],
  ],
  ['GET /records/:object, grouped', get(listRecords, { object: 'opportunities', group_by: 'pipeline' }), ['read 2']],
  ['… by what no index finds', get(listRecords, { object: 'contacts', group_by: 'job_title', filters }), ['read 2']],
  ['GET /notes', get(listNotes), ['read 2']],
  ['GET /notes/:id', async () => [getNote, { id: await note() }], ['read 2']],
  ['POST /notes: check, note', get(createNote, { content: 'x' }), ['transaction 2'], ['transaction 5']],
  [
    '… with a link and a mention: check, user, target twice, notification, link, note',
    async () => [
      createNote,
      {
        content: 'x',
        linked_entities: [{ type: 'companies', id: await make('companies', { name: 'x' }) }],
        mentioned_user_ids: [await another()],
      },
    ],
    ['transaction 7'],
    ['transaction 10'],
  ],
  [
    'PUT /notes/:id: check, lock, judge, change',
    async () => [updateNote, { id: await note(), content: 'y' }],
    ['transaction 4'],
    ['transaction 7'],
  ],
  [
    'DELETE /notes/:id: check, lock, judge, links of three kinds, change',
    async () => [deleteNote, { id: await note() }],
    ['transaction 7'],
    ['transaction 10'],
  ],
  ['GET /aggregate/:object', get(aggregateRecords, { object: 'contacts' }), ['read 2']],
  [
    '… by groups, behind a relation',
    get(aggregateRecords, {
      object: 'opportunities',
      field: 'amount',
      function: 'SUM',
      group_by: 'company_id.industry',
    }),
    ['read 2'],
  ],
  ['GET /tasks', get(listTasks), ['read 2']],
  ['… of a mode', get(listTasks, { mode: 'overdue' }), ['read 2']],
  ['GET /tasks/stats', get(taskStats), ['read 2']],
  ['GET /tasks/:id', onTask(getTask), ['read 2']],
  ['POST /tasks: check, task', get(createTask, { title: 'x' }), ['transaction 2'], ['transaction 5']],
  [
    '… linked and assigned: check, targets, user, notification, targets, links, task',
    async () => {
      const id = await make('contacts', {});
      return [createTask, { title: 'x', assigned_to_id: member, linked_entities: [{ id, type: 'contacts' }] }];
    },
    ['transaction 7'],
    ['transaction 10'],
  ],
  [
    'PUT /tasks/:id: check, lock, judge, task, change',
    onTask(updateTask, { title: 'y' }),
    ['transaction 5'],
    ['transaction 8'],
  ],
  ['PUT /tasks/:id/complete: the same', onTask(completeTask), ['transaction 5'], ['transaction 8']],
  ['GET /notifications, and how many are unread', get(listNotifications), ['read 3']],
  ['PUT /notifications: check, lock, change', get(markAllNotifications, { read: true }), ['transaction 3']],
  [
    'GET /export/:object: rows, check, then the audit',
    get(exportRecords, { object: 'companies', format: 'csv' }),
    ['stream', 'read 1', 'transaction 6'],
  ],
  [
    '… that is cut: rows, total',
    get(exportRecords, { object: 'contacts' }),
    ['stream', 'read 1', 'transaction 6', 'read 2'],
  ],
];

describe('statements of', () => {
  for (const [what, request, expected, onCitus = expected] of cases) {
    it(what, async () => {
      const [operation, input] = await request();
      await perform(operation, input); // what is compiled or remembered once, is now
      const again = await request();
      sent = [];
      await perform(...again);
      expect(sent).toEqual(database.database.engine === 'citus' ? onCitus : expected);
    });
  }

  it('an aggregate of an object that is large, or not known yet: nobody waits behind it', async () => {
    const count = async () => {
      sent = [];
      await perform(aggregateRecords, { object: 'gadgets' });
      return sent;
    };
    const gadgets = { name: 'gadgets', fields: [{ name: 'name', type: 'TEXT' }] };
    await perform(applyManifest, { manifest: { objects: [gadgets] } });
    await perform(getMe, {}); // with the new model
    const alone = ['run', 'read 1'];
    expect(await count(), 'not known').toEqual(alone);
    await make('gadgets', { name: 'x' });
    expect(await count(), 'small').toEqual(['read 2']);
    await database.database.run(
      'test',
      statement(sql`update ${identifier(schema, '_state')} set rows = rows + 100000`),
    );
    await make('gadgets', { name: 'x' });
    expect(await count(), 'small when it was looked at last').toEqual(['read 2']);
    expect(await count(), 'large, but remembered').toEqual(['read 2']);
    await make('gadgets', { name: 'x' });
    expect(await count(), 'large, and remembered of before').toEqual(['read 2', ...alone]);
  });

  it.each<[string, Operation, object, string, string[]]>([
    [
      'a record that is not there, and was not merged',
      getRecord,
      { object: 'contacts', id: crypto.randomUUID() },
      'RECORD_NOT_FOUND',
      ['read 2', 'read 2', 'read 1'],
    ],
    ['a malformed id', getRecord, { object: 'contacts', id: 'x' }, 'RECORD_NOT_FOUND', ['read 1']],
    ['a wrong value', createRecord, { object: 'contacts', values: { birthday: 'x' } }, 'VALIDATION_ERROR', ['read 1']],
    ['an unknown object', listRecords, { object: 'nothing' }, 'INVALID_OBJECT', ['read 1']],
  ])(
    'a refusal of %s: what was asked, and whether the caller still is one',
    async (_what, operation, input, code, expected) => {
      sent = [];
      expect(await codeOf(perform(operation, input))).toBe(code);
      expect(sent).toEqual(expected);
    },
  );
});
