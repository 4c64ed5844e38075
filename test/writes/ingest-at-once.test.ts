/** [contract: Ingest] Batches that come at once, in any order and more than once, end as one file would have. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ingestLines } from '../../src/operations/conversations/ingest.ts';
import { sql } from '../../src/postgres/sql.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { storageOf, type Storage } from './invariants.ts';

const threads = 20;
const messages = 200;

let database: TestDatabase;
let engine: Engine;
let token: string;
let storage: Storage;
let user: string;
beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(database.database);
  const organization = await firstOrganization(engine, database.database);
  ({ token } = organization);
  storage = storageOf(database.database, organization.schemaName);
  user = String((await storage.rows(sql`select email from ${storage.table('_users')}`))[0]?.[0]);
});
afterAll(() => database.drop());

const line = (at: number) => ({
  line: at + 1,
  value: {
    kind: 'interaction',
    user,
    channel: 'email',
    external_thread_id: `t-${at % threads}`,
    external_id: `m-${at}`,
    date: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
    from: `p${at % 7}@globex.test`,
    to: [user],
    content_text: `Message ${at}`,
  },
});

it('neither meet in a deadlock, nor count anything twice', async () => {
  const all = Array.from({ length: messages }, (_, at) => line(at));
  const batches = [all, all.toReversed(), all.slice(0, 120), all.slice(80).toReversed()];
  const answers = await Promise.all(batches.map((lines) => engine.perform(token, ingestLines, { lines })));
  const sum = (of: 'interactions' | 'threads' | 'skipped') => answers.reduce((total, answer) => total + answer[of], 0);
  const given = batches.reduce((total, lines) => total + lines.length, 0);
  expect([sum('interactions'), sum('threads'), sum('skipped')]).toEqual([messages, threads, given - messages]);
  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  const table = (name: string) => storage.table(name);
  const wrongThreads = await storage.rows(sql`select t.id from ${table('_threads')} t left join lateral (
      select count(*) as n, max(i.date) as latest from ${table('_interactions')} i where i.interaction_thread_id = t.id) x on true
    where t.message_count <> x.n or t.last_message_date <> x.latest`);
  const wrongCounts = await storage.rows(sql`select a.address from ${table('_addresses')} a left join lateral (
      select count(*) as n from ${table('_participants')} p where p.address = a.address) x on true where a.messages <> x.n`);
  const wrongTexts = await storage.rows(sql`select t.search_text from ${table('_threads')} t where
    (select string_agg(w, ' ' order by w collate "C") from unnest(string_to_array(t.search_text, ' ')) w) is distinct from
    (select string_agg(distinct lower(x) collate "C", ' ' order by lower(x) collate "C") from ${table('_interactions')} i
      cross join lateral unnest(i.participants || string_to_array(i.subject, ' ')) x where i.interaction_thread_id = t.id)`);
  const contents = await storage.rows(sql`select count(*) from ${table('_interaction_contents')}`);
  expect([wrongThreads, wrongCounts, wrongTexts, contents]).toEqual([[], [], [], [[String(messages)]]]);
});
