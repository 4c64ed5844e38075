/** What holds between records, history, links and state whatever was written, by whom, in which order. */
import { expect } from 'vitest';
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement, trusted, type Sql } from '../../src/postgres/sql.ts';

export interface Storage {
  readonly database: Database;
  readonly schema: string;
  rows(query: Sql): Promise<readonly (readonly (string | null)[])[]>;
  table(name: string): Sql;
  /** Sum of the versions of an object's buckets. */
  version(objectName: string): Promise<bigint>;
  /** Id of a field in the metadata. */
  fieldId(objectName: string, fieldName: string): Promise<string>;
  /** What history says of a record, oldest first. */
  history(recordId: string): Promise<readonly HistoryRow[]>;
}

export interface HistoryRow {
  readonly id: number;
  readonly recordId: string;
  readonly action: 'create' | 'update' | 'delete' | 'restore' | 'purge' | 'unlink';
  /** `merge` of what a merge has changed. */
  readonly means: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly links: Readonly<
    Record<string, { readonly added: readonly string[]; readonly removed: readonly string[] }>
  > | null;
}

export function storageOf(database: Database, schema: string): Storage {
  const rows = async (query: Sql) => (await database.run('storage', statement(query))).rows;
  const table = (name: string) => identifier(schema, name);
  return {
    database,
    schema,
    rows,
    table,
    async version(objectName) {
      const query = sql`select coalesce(sum(s.version), 0) from ${table('_state')} s join ${table('_objects')} o on o.id = s.object_id
        where o.name = ${objectName}`;
      return BigInt((await rows(query))[0]?.[0] ?? 0);
    },
    async fieldId(objectName, fieldName) {
      const found =
        await rows(sql`select f.id from ${table('_fields')} f join ${table('_objects')} o on o.id = f.object_id
        where o.name = ${objectName} and f.name = ${fieldName}`);
      return found[0]?.[0] ?? '';
    },
    history: (recordId) => readHistory(rows, table, sql`h.record_id = ${recordId}::uuid`),
  };
}

async function readHistory(rows: Storage['rows'], table: Storage['table'], where: Sql): Promise<HistoryRow[]> {
  const found =
    await rows(sql`select h.id, h.record_id, h.action, h.means, h.before::text, h.links::text from ${table('_history')} h
    where ${where} order by h.id`);
  return found.map(([id, recordId, action, means, before, links]) => ({
    id: Number(id),
    recordId: recordId ?? '',
    action: action as HistoryRow['action'],
    means: means ?? '',
    before: before ? (JSON.parse(before) as HistoryRow['before']) : null,
    links: links ? (JSON.parse(links) as HistoryRow['links']) : null,
  }));
}

/** Every value that a single-column field ever had, oldest first, as history and the row tell it. */
export async function chainOf(
  storage: Storage,
  objectName: string,
  fieldName: string,
  recordId: string,
): Promise<unknown[]> {
  const field = await storage.fieldId(objectName, fieldName);
  const before = (await storage.history(recordId)).flatMap((row) =>
    row.before && field in row.before ? [row.before[field]] : [],
  );
  const [now] = await storage.rows(
    sql`select to_jsonb(${identifier(fieldName)})::text from ${storage.table(objectName)} where id = ${recordId}::uuid`,
  );
  return [...before, JSON.parse(now?.[0] ?? 'null')];
}

/** `_state` counts the rows outside the trash, of every object. */
export async function expectState(storage: Storage, objectNames: readonly string[]): Promise<void> {
  for (const name of objectNames) {
    const [row] = await storage.rows(sql`select
      (select coalesce(sum(s.rows), 0) from ${storage.table('_state')} s join ${storage.table('_objects')} o on o.id = s.object_id
        where o.name = ${name}),
      (select count(*) from ${storage.table(name)} where deleted_at is null)`);
    expect(row?.[0], `rows of ${name} in _state`).toBe(row?.[1]);
  }
}

/** The history of each record is one that can have happened, and ends where the record is. */
export async function expectHistory(storage: Storage, objectName: string): Promise<void> {
  const { rows, table } = storage;
  const found = await rows(sql`select id, deleted_at is null from ${table(objectName)}`);
  const live = new Map(found.map(([id, present]) => [id ?? '', present === 't']));
  const all = await readHistory(
    rows,
    table,
    sql`h.object_id = (select id from ${table('_objects')} where name = ${objectName})`,
  );
  const byRecord = Map.groupBy(all, (row) => row.recordId);
  const present = [...byRecord].filter(([, history]) => history.at(-1)?.action !== 'purge').map(([id]) => id);
  expect(present.toSorted(), `records of ${objectName} with a history`).toEqual([...live.keys()].toSorted());
  const linkTables =
    await rows(sql`select f.id, '_link_' || right(replace(f.id::text, '-', ''), 12) from ${table('_fields')} f
    join ${table('_objects')} o on o.id = f.object_id where o.name = ${objectName} and f.definition ->> 'type' = 'MANY_TO_MANY'`);
  for (const [id, history] of byRecord) {
    const stored = live.get(id);
    expect(lifeOf(history), `the history of ${id}`).toBe(stored === undefined ? 'gone' : stored ? 'live' : 'trash');
    for (const [field, link] of linkTables) {
      const stored = await rows(sql`select target_id from ${table(link ?? '')} where source_id = ${id}::uuid`);
      expect(linksOf(history, field ?? ''), `the links of ${id}`).toEqual(
        stored.map(([target]) => target ?? '').toSorted(),
      );
    }
  }
}

const neededBy: Readonly<Record<HistoryRow['action'], string>> = {
  create: 'none',
  update: 'live',
  delete: 'live',
  restore: 'trash',
  purge: 'trash',
  unlink: 'live',
};

function lifeOf(history: readonly HistoryRow[]): string {
  let state = 'none';
  for (const { action, means } of history) {
    // What leads to a record leads to its master, or nowhere, also from the trash.
    if ((action === 'unlink' || (action === 'update' && means === 'merge')) && ['live', 'trash'].includes(state))
      continue;
    if (state !== neededBy[action]) return `${action} of a record that is ${state}`;
    state = action === 'delete' ? 'trash' : action === 'purge' ? 'gone' : 'live';
  }
  return state;
}

function linksOf(history: readonly HistoryRow[], field: string): string[] {
  const links = new Set<string>();
  for (const row of history) {
    const { added = [], removed = [] } = row.links?.[field] ?? {};
    for (const target of removed) expect(links.delete(target), `${target} was linked`).toBe(true);
    for (const target of added) {
      expect(links.has(target), `${target} was not linked`).toBe(false);
      links.add(target);
    }
  }
  return [...links].toSorted();
}

/** Makes a text field unique as a change of the model would: definition, index, version. */
export async function makeUnique(storage: Storage, objectName: string, fieldName: string): Promise<void> {
  const id = await storage.fieldId(objectName, fieldName);
  const index = `u_${id.replaceAll('-', '').slice(-12)}`;
  const column = identifier(fieldName);
  await storage.rows(sql`create unique index ${identifier(index)} on ${storage.table(objectName)} (left(${column}, ${trusted('250')}), md5(${column}))
    where deleted_at is null`);
  await storage.rows(
    sql`update ${storage.table('_fields')} set definition = definition || '{"isUnique": true}' where id = ${id}::uuid`,
  );
  await storage.rows(sql`update ${storage.table('_organization')} set model_version = model_version + 1`);
}
