/**
 * Creates indexes while there is demand, when a large object is often sorted or filtered by a field, and drops unused ones
 * (docs/decisions/0014-indexes-on-demand.md).
 */
import type { Organization } from '../../directory/directory.ts';
import { fieldType } from '../../fields/registry.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { createIndex } from '../../model/ddl.ts';
import { demandedIndexes, type DemandedIndex } from '../../model/demanded-index.ts';
import { loadModel } from '../../model/load.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import { demandedPrefix } from '../../model/names.ts';
import type { Database, Rows } from '../../postgres/database.ts';
import { sqlState } from '../../postgres/failure.ts';
import { identifier, sql, statement, type Sql } from '../../postgres/sql.ts';
import { dayMs } from '../../lib/durations.ts';

export interface Demand {
  /** Smaller tables need no index: sorting 20,000 rows takes some 30 ms. */
  readonly rows: number;
  /** Uses within `recentDays` that justify an index. Fifty sorts of a million rows cost more than building it. */
  readonly often: number;
  readonly recentDays: number;
  /** An unused index is dropped after this many days: longer than a holiday, or than a monthly report's interval. */
  readonly quietDays: number;
  /** Most indexes per object: each makes a write some percent slower. */
  readonly most: number;
}

export const defaultDemand: Demand = { rows: 20_000, often: 50, recentDays: 7, quietDays: 35, most: 8 };

/** Rows per value up to which a hash index is made; more rows with equal values make it slow to write. */
const mostAlike = 1_000;

/** Building may take long; no request waits for it. */
const buildMs = 3_600_000;

const duplicateTable = '42P07';

/** Names of indexes. */
export interface Indexed {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

interface Candidate extends DemandedIndex {
  /** Uses within the recent days. */
  readonly recent: number;
  /** Whether it was used within the quiet days. */
  readonly isUsed: boolean;
}

/** Creates and drops the indexes that the recorded uses call for, one after the other. */
export async function indexOnDemand(
  database: Database,
  organization: Organization,
  now: number,
  demand: Demand = defaultDemand,
): Promise<Indexed> {
  const { id, schema } = organization;
  const day = (ago: number) => new Date(now - ago * dayMs).toISOString().slice(0, 10);
  const [uses, indexes, sizes] = await database.read(id, [
    statement(usesQuery(schema, day(demand.recentDays), day(demand.quietDays))),
    statement(presentQuery(schema)),
    statement(sql`select object_id, sum(rows) from ${identifier(schema, '_state')} group by 1`),
  ]);
  const present = new Map((indexes?.rows ?? []).map(([name, isValid]) => [name ?? '', isValid === 't']));
  if (uses?.rows.length === 0 && present.size === 0) return { made: [], dropped: [] };
  const model = await loadModel(database, organization);
  const candidates = candidatesOf(model, uses);
  const unused = [...present]
    .filter(([name, isValid]) => !isValid || !candidates.get(name)?.isUsed)
    .map(([name]) => name);
  for (const name of unused) await dropIndex(database, model, name);
  await database.run(
    id,
    statement(sql`delete from ${identifier(schema, '_uses')} where day <= ${day(demand.quietDays)}::date`),
  );
  const kept = new Set([...present.keys()].filter((name) => !unused.includes(name)));
  const rows = new Map((sizes?.rows ?? []).map(([objectId, count]) => [objectId ?? '', Number(count)]));
  const made: DemandedIndex[] = [];
  for (const candidate of wanted([...candidates.values()], kept, rows, demand)) {
    if (await makeIndex(database, model, candidate, rows.get(candidate.object.id) ?? 0)) made.push(candidate);
  }
  // The statistics of an index's expression need an ANALYZE after it was built.
  for (const table of new Set(made.map(({ object }) => object.table))) {
    await database.run(id, statement(sql`analyze ${identifier(schema, table)}`), buildMs);
  }
  const names = made.map(({ index }) => index.name);
  return { made: names, dropped: unused.filter((name) => !names.includes(name)) };
}

function usesQuery(schema: string, recent: string, quiet: string): Sql {
  return sql`select u.object_id, u.field_id, u.use, coalesce(sum(u.count) filter (where u.day > ${recent}::date), 0)
    from ${identifier(schema, '_uses')} u, ${identifier(schema, '_organization')} o
    where u.day > ${quiet}::date and not o.moved group by 1, 2, 3`;
}

/** Present indexes, except those that are being built now. */
function presentQuery(schema: string): Sql {
  return sql`select c.relname, x.indisvalid from pg_class c join pg_index x on x.indexrelid = c.oid
    where c.relnamespace = (select oid from pg_namespace where nspname = ${schema})
      and starts_with(c.relname, ${demandedPrefix})
      and not exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid)`;
}

function candidatesOf(model: Model, uses: Rows | undefined): ReadonlyMap<string, Candidate> {
  const recent = new Map((uses?.rows ?? []).map(([object, field, use, count]) => [`${object} ${field} ${use}`, count]));
  return new Map(
    demandedIndexes(model).map((one) => {
      const count = recent.get(`${one.object.id} ${one.field.id} ${one.use}`);
      return [one.index.name, { ...one, recent: Number(count ?? 0), isUsed: count !== undefined }];
    }),
  );
}

/** The most used candidates, up to the limit. */
function wanted(
  candidates: readonly Candidate[],
  kept: ReadonlySet<string>,
  rows: ReadonlyMap<string, number>,
  demand: Demand,
): readonly Candidate[] {
  const isAsked = ({ object, recent, index }: Candidate) =>
    kept.has(index.name) || (recent >= demand.often && (rows.get(object.id) ?? 0) >= demand.rows);
  // A sort index serves these filters, too.
  const isSpared = ({ field, object, use, hashed }: Candidate) =>
    use === 'filter' &&
    !hashed &&
    candidates.some(
      (other) => other.use === 'sort' && other.field === field && other.object === object && isAsked(other),
    );
  const asked = candidates.filter((candidate) => isAsked(candidate) && !isSpared(candidate));
  const standing = asked.filter(({ index }) => kept.has(index.name));
  const missing = asked
    .filter(({ index }) => !kept.has(index.name))
    .toSorted((one, other) => other.recent - one.recent);
  const room = new Map<string, number>();
  for (const { object } of standing) room.set(object.id, (room.get(object.id) ?? demand.most) - 1);
  return missing.filter(({ object }) => {
    const left = room.get(object.id) ?? demand.most;
    room.set(object.id, left - 1);
    return left > 0;
  });
}

/** Returns false if the index was not made: another process builds it, the workspace has changed, or its values do not suit it. */
async function makeIndex(
  database: Database,
  model: Model,
  { object, field, index, hashed }: Candidate,
  rows: number,
): Promise<boolean> {
  const { organizationId, schema, version } = model;
  if (hashed && !(await areDistinct(database, model, object, field, rows))) return false;
  const table = identifier(schema, object.table);
  try {
    await database.run(organizationId, statement(createIndex(table, index, true)), buildMs);
  } catch (error) {
    if (sqlState(error) === duplicateTable) return false;
    throw error;
  }
  // The field may have changed its type meanwhile, and the index would refuse its values.
  const query = sql`select model_version from ${identifier(schema, '_organization')}`;
  const now = (await database.run(organizationId, statement(query))).rows[0]?.[0];
  if (now !== version) {
    await dropIndex(database, model, index.name);
    return false;
  }
  return true;
}

/** Whether the values are distinct enough, by PostgreSQL's statistics; false without any. */
async function areDistinct(
  database: Database,
  { organizationId, schema }: Model,
  object: ObjectDef,
  field: FieldDef,
  rows: number,
): Promise<boolean> {
  const columns = fieldType(field.type).columns(field);
  const query = sql`select max(coalesce(most_common_freqs[1], 0)) from pg_stats
    where schemaname = ${schema} and tablename = ${object.table} and attname = any(${columns.map(({ name }) => name)}::text[])`;
  const share = (await database.run(organizationId, statement(query))).rows[0]?.[0] ?? null;
  return share !== null && Number(share) * rows <= mostAlike;
}

/** Drops the index concurrently, so that no reader waits. */
async function dropIndex(database: Database, { organizationId, schema }: Model, name: string): Promise<void> {
  const query = sql`drop index concurrently if exists ${identifier(schema, name)}`;
  await database.run(organizationId, statement(query), buildMs);
}
