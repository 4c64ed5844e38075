/** What a long past costs: a page of it, and the record as it lately was, read what they tell and not the whole of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordHistory } from '../../src/operations/records/history.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import { createRecord, getRecord, updateRecord } from '../../src/operations/records/records.ts';
import { identifier, sql, statement, type Statement } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';

/** Entries of the record, and what a page takes. */
const entries = 3000;
const page = 10;

/** The last statement that read history. */
let asked: Statement | undefined;
let database: TestDatabase;
let engine: Engine;
let token: string;
let id: string;

// oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
const perform = (operation: Operation, input: object): Promise<any> => engine.perform(token, operation, input);

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine({
    ...database.database,
    read(affinity, statements) {
      asked = statements.find(({ text }) => text.includes('_history')) ?? asked;
      return database.database.read(affinity, statements);
    },
  });
  const organization = await firstOrganization(engine, database.database);
  ({ token } = organization);
  ({ id } = await perform(createRecord, { object: 'companies', values: { name: 'Old', description: 'First' } }));
  await perform(updateRecord, { object: 'companies', id, values: { description: 'Second' } });
  await perform(updateRecord, { object: 'companies', id, values: { name: 'Busy' } });
  const history = identifier(organization.schemaName, '_history');
  // Its last entry many times over, each a moment later and among those of other records.
  const again = sql`insert into ${history} (object_id, record_id, action, before, actor_id, token_id, means, change_set, at)
    select object_id, case n % 10 when 0 then record_id else gen_random_uuid() end, action, before, actor_id, token_id, means, change_set, at + n * interval '1 millisecond'
    from ${history} h, generate_series(1, ${10 * (entries - 3)}::int) n
    where h.id = (select max(id) from ${history}) order by n`;
  await database.database.run('test', statement(again));
  await database.database.run('test', statement(sql`analyze ${history}`));
});
afterAll(() => database.drop());

interface Node {
  readonly 'Subplan Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** The plan of the last statement that read history. */
async function explained(): Promise<Node> {
  if (!asked) throw new Error('Nothing was asked of history');
  const answer = await database.database.run('test', {
    ...asked,
    text: `explain (analyze, format json) ${asked.text}`,
  });
  return JSON.parse(answer.rows[0]?.[0] ?? '')[0].Plan;
}

/** The rows that passed through the plan's nodes, but for those of the subplan `apart`. */
function rowsOf(node: Node, apart?: string): number {
  if (apart !== undefined && node['Subplan Name'] === apart) return 0;
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return own + (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part, apart), 0);
}

const pageOf = (more: object) => perform(recordHistory, { object: 'companies', id, limit: page, ...more });

it('a page reads its own entries, and all of them only to count them', async () => {
  const first = await pageOf({});
  expect([first.data.length, first.total]).toEqual([page, entries]);
  expect(rowsOf(await explained(), 'CTE counted')).toBeLessThan(page * 100);
  const second = await pageOf({ cursor: first.nextCursor });
  expect(rowsOf(await explained(), 'CTE counted')).toBeLessThan(page * 100);
  const ids = [...first.data, ...second.data].map((entry: { id: string }) => entry.id);
  expect(ids).toEqual(Array.from({ length: 2 * page }, (_, at) => String(entries - at)));
});

it('the first entries find what followed them', async () => {
  let { data, nextCursor } = await pageOf({ limit: 100 });
  while (nextCursor !== undefined) ({ data, nextCursor } = await pageOf({ limit: 100, cursor: nextCursor }));
  expect(data.slice(-3).map(({ changes }: { changes: unknown }) => changes)).toMatchObject([
    [{ field: 'name', before: 'Old', after: 'Old' }],
    [{ field: 'description', before: 'First', after: 'Second' }],
    expect.arrayContaining([{ field: 'description', before: null, after: 'First' }]),
  ]);
  // No look goes through entries of other records, of which there are ten times as many.
  expect(rowsOf(await explained(), 'CTE counted')).toBeLessThan(6 * entries);
});

it('the record as it lately was is made of the entries since', async () => {
  const { data } = await pageOf({});
  await perform(getRecord, { object: 'companies', id, as_of: data.at(-1).at });
  expect(rowsOf(await explained())).toBeLessThan(page * 100);
});
