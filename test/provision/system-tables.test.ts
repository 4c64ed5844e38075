/** What is done with each table of an organization is said in one list, and is done. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemTables } from '../../src/model/system-tables.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { acme, rowsOf, setUp, type Setup } from './setup.ts';

let setup: Setup;
let schema: string;
beforeAll(async () => {
  setup = await setUp();
  ({ schemaName: schema } = await acme(setup.deps));
});
afterAll(() => setup.drop());

const names = systemTables.map(({ name }) => name);

it('names every table that no metadata makes', async () => {
  const tables = await rowsOf(setup.main, sql`select tablename from pg_tables where schemaname = ${schema}`);
  const made = tables.map(([name]) => name ?? '');
  const objects = (
    await rowsOf(setup.main, sql`select coalesce(definition ->> 'table', name) from ${identifier(schema, '_objects')}`)
  ).flat();
  expect(made).toEqual(expect.arrayContaining(objects));
  const others = made.filter((name) => !objects.includes(name) && !name.startsWith('_link_'));
  expect(others.toSorted()).toEqual(names.toSorted());
});

it('has them in the order in which their foreign keys let them be filled', async () => {
  const keys = await rowsOf(
    setup.main,
    sql`select c.conrelid::regclass::text, c.confrelid::regclass::text from pg_constraint c
      join pg_namespace n on n.oid = c.connamespace where n.nspname = ${schema} and c.contype = 'f'`,
  );
  const placeOf = (table?: string | null) => names.indexOf((table ?? '').replace(/^.*\./, '').replaceAll('"', ''));
  expect(keys.length).toBeGreaterThan(5);
  for (const [from, to] of keys) expect(placeOf(from), `${from} → ${to}`).toBeGreaterThanOrEqual(placeOf(to));
  const linked = new Set(keys.flat().map(placeOf));
  expect(systemTables.filter((_, at) => linked.has(at)).every(({ isLinked }) => isLinked)).toBe(true);
});

it('knows all that is about records', async () => {
  const tables = await rowsOf(
    setup.main,
    sql`select table_name from information_schema.columns where table_schema = ${schema} and column_name = 'record_id'`,
  );
  const ofRecords = systemTables.filter(({ atPurge }) => atPurge !== undefined).map(({ name }) => name);
  expect(ofRecords.toSorted()).toEqual(tables.map(([name]) => name ?? '').toSorted());
});
