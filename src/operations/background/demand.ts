/**
 * Indexes that are there as long as there is demand: made where a large object is often sorted or filtered by a field, beside
 * traffic, and dropped when nobody does so any more (docs/decisions/0014-indexes-on-demand.md).
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

export interface Demand {
  /** Objects with fewer rows are sorted faster than an index is worth: 20,000 take some 30 ms. */
  readonly rows: number;
  /** Uses within `recentDays` that call for an index. Fifty sorts of a million rows cost more than making it. */
  readonly often: number;
  readonly recentDays: number;
  /** So long an index stays that nobody uses: longer than a holiday, or a report that is made once a month. */
  readonly quietDays: number;
  /** Indexes of one object: each makes every write of it some percent dearer. */
  readonly most: number;
}

export const usualDemand: Demand = { rows: 20_000, often: 50, recentDays: 7, quietDays: 35, most: 8 };

/** A row more of a value makes a hashed index slower to write: it is made where no value has more rows than this. */
const mostAlike = 1_000;

/** Making one may take long: nobody waits for it. */
const buildMs = 3_600_000;

const dayMs = 86_400_000;
const duplicateTable = '42P07';

/** The names of indexes. */
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

/** Makes and drops what the uses that were handed over call for, one index after the other. */
export async function indexOnDemand(
  database: Database,
  organization: Organization,
  now: number,
  demand: Demand = usualDemand,
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
  // What is known of the values of an expression comes with its index, and by this.
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

/** But those that somebody is making at this moment. */
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

/** Those that are asked for most come first, as far as there is room for them. */
function wanted(
  candidates: readonly Candidate[],
  kept: ReadonlySet<string>,
  rows: ReadonlyMap<string, number>,
  demand: Demand,
): readonly Candidate[] {
  const isAsked = ({ object, recent, index }: Candidate) =>
    kept.has(index.name) || (recent >= demand.often && (rows.get(object.id) ?? 0) >= demand.rows);
  // Values in their order are found by it, too.
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

/** False where it was not made: somebody else is at it, the workspace changed meanwhile, or its values are no good for it. */
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
  // The field may have become another meanwhile, whose values the index would refuse.
  const query = sql`select model_version from ${identifier(schema, '_organization')}`;
  const now = (await database.run(organizationId, statement(query))).rows[0]?.[0];
  if (now !== version) {
    await dropIndex(database, model, index.name);
    return false;
  }
  return true;
}

/** By what PostgreSQL knows of the values; false where it knows nothing. */
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

/** Waits for those who read by it; nobody waits for that. */
async function dropIndex(database: Database, { organizationId, schema }: Model, name: string): Promise<void> {
  const query = sql`drop index concurrently if exists ${identifier(schema, name)}`;
  await database.run(organizationId, statement(query), buildMs);
}
