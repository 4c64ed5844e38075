/** What is in the one organization of a database, as storage has it. */
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';

/** A demo that is complete: each record once, each made by the demo. */
export const whole = {
  companies: 800,
  contacts: 5000,
  opportunities: 600,
  subscriptions: 250,
  users: 8,
  domains: 800,
  names: 600,
  codes: 250,
  steps: 6,
  phases: 6,
  earliest: '2024-10-23',
  tasks: 400,
  completed: 300,
  notes: 300,
  threads: 480,
  interactions: 2148,
  events: 276,
  views: 6,
  dashboards: 1,
  created: 7350,
  means: ['demo'],
  unfilled: 0,
};

export async function demoCounts(main: Database): Promise<typeof whole> {
  const first = async (query: ReturnType<typeof sql>) => (await main.run('test', statement(query))).rows[0]?.[0] ?? '';
  const schema = await first(sql`select schema_name from kith.organizations where state = 'active'`);
  const table = (name: string) => identifier(schema, name);
  const counts = await first(sql`select json_build_object(
    'companies', (select count(*) from ${table('companies')}),
    'contacts', (select count(*) from ${table('contacts')}),
    'opportunities', (select count(*) from ${table('opportunities')}),
    'subscriptions', (select count(*) from ${table('subscriptions')}),
    'users', (select count(*) from ${table('_users')}),
    'domains', (select count(distinct domain) from ${table('companies')}),
    'names', (select count(distinct name) from ${table('opportunities')}),
    'codes', (select count(distinct code) from ${table('subscriptions')}),
    'steps', (select count(distinct pipeline_step_id) from ${table('opportunities')}),
    'phases', (select count(distinct pipeline_step_id) from ${table('subscriptions')}),
    'earliest', (select min(close_date) from ${table('opportunities')}),
    'tasks', (select count(*) from ${table('_tasks')}),
    'completed', (select count(*) from ${table('_tasks')} where is_completed),
    'notes', (select count(*) from ${table('_notes')}),
    'threads', (select count(*) from ${table('_threads')}),
    'interactions', (select count(*) from ${table('_interactions')}),
    'events', (select count(*) from ${table('_events')}),
    'views', (select count(*) from ${table('_views')}),
    'dashboards', (select count(*) from ${table('_dashboards')}),
    'created', (select count(*) from ${table('_history')} where action = 'create'),
    'means', (select json_agg(distinct means) from ${table('_history')}),
    'unfilled', (select count(*) from kith.organizations where state = 'active' and isfinite(demo_day)))`);
  return JSON.parse(counts) as typeof whole;
}
