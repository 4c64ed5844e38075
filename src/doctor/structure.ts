/**
 * Compares an organization's tables with those that this program would create: the latter are created by the ordinary DDL
 * in a schema that is rolled back, so that nothing is declared twice.
 */
import { KithError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import { createIndex, createTables } from '../model/ddl.ts';
import { demandedIndexes, type DemandedIndex } from '../model/demanded-index.ts';
import type { Model } from '../model/model.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { isDiskFull } from '../postgres/failure.ts';
import { identifier, join, sql, statement, trusted, type Sql } from '../postgres/sql.ts';
import { schemaScripts } from '../provision/migrations.ts';
import { repairing, type Problem } from './finding.ts';

/** A column, index or constraint. */
interface Part {
  readonly kind: string;
  readonly table: string;
  /** Empty if the name does not matter. */
  readonly name: string;
  readonly definition: string;
  readonly valid: boolean;
}

const scratch = 'kith_doctor';

export interface StructureProblems {
  readonly schemas: readonly Problem[];
  /** Indexes whose creation was interrupted. */
  readonly leftOvers: readonly Problem[];
  /** Indexes on demand, described as `contacts.last_name (sort)`. */
  readonly onDemand: readonly string[];
}

/** Parts that the schema lacks, and parts that it has in excess. */
export async function compareStructure(database: Database, model: Model): Promise<StructureProblems> {
  const { schema, organizationId } = model;
  const present = await partsOf({ run: (query) => database.run(organizationId, query) }, schema);
  const names = new Set(present.map(({ name }) => name));
  const onDemand = demandedIndexes(model).filter(({ index }) => names.has(index.name));
  const wanted = await wantedParts(database, model, onDemand);
  const valid = present.filter((part) => part.valid);
  const has = new Set(valid.map(keyOf));
  const asked = new Set(wanted.map(keyOf));
  const missing = wanted.filter((part) => !has.has(keyOf(part)));
  const strange = valid.filter((part) => !asked.has(keyOf(part)));
  // A broken index that is wanted is also missing, and is created again.
  const broken = present.filter((part) => !part.valid && !missing.some((other) => sameName(part, other)));
  return {
    schemas: [
      ...missing.map((part) => missingPart(database, model, part, strange)),
      ...strange
        .filter((part) => !missing.some((other) => sameName(part, other)))
        .map((part) => stranger(schema, part)),
    ],
    leftOvers: broken.map(({ table, name }) => ({
      text: `the index ${schema}.${name} on ${table} was not finished`,
      remedy: repairing,
      repair: () => database.run(organizationId, statement(sql`drop index if exists ${identifier(schema, name)}`)),
    })),
    onDemand: onDemand.map(({ object, field, use }) => `${object.name}.${field.name} (${use})`),
  };
}

class Unwanted extends Error {}

/** The parts of a new schema; rolled back by an exception. */
async function wantedParts(
  database: Database,
  model: Model,
  onDemand: readonly DemandedIndex[],
): Promise<readonly Part[]> {
  const schema = `"${scratch}"`;
  const statements = [
    // The coordinator is enough for the comparison, and workers may be away.
    ...(database.engine === 'citus' ? ['set local citus.enable_ddl_propagation = off'] : []),
    `create schema ${schema}`,
    ...schemaScripts(schema),
    ...createTables(scratch, model),
    ...onDemand.map(({ object, index }) => statement(createIndex(identifier(scratch, object.table), index)).text),
  ];
  let parts: readonly Part[] = [];
  try {
    await database.transaction(model.organizationId, async (tx) => {
      // Concurrent doctors would use the same schema name.
      await tx.run(statement(sql`select pg_advisory_xact_lock(${7_215_460_002}::bigint)`));
      await tx.script(statements.join(';\n'));
      parts = await partsOf(tx, scratch);
      throw new Unwanted();
    });
  } catch (error) {
    if (!(error instanceof Unwanted)) throw error;
  }
  return parts;
}

/** Definitions without the schema's name, so that two schemas can be compared. */
async function partsOf(database: Queryable, schema: string): Promise<readonly Part[]> {
  const inSchema = sql`c.relnamespace = (select oid from pg_namespace where nspname = ${schema})`;
  const { rows } = await database.run(
    statement(
      sql`${join([columns(inSchema), indexes(inSchema), constraints(inSchema)], ' union all ')} order by 1, 2, 3, 4`,
    ),
  );
  const bare = (text: string) => text.replaceAll(`${schema}.`, '').replaceAll(`"${schema}".`, '');
  return rows.map(([kind, table, name, definition, valid]) => ({
    kind: kind ?? '',
    table: table ?? '',
    name: name ?? '',
    definition: bare(definition ?? ''),
    valid: valid === 't',
  }));
}

const columns = (inSchema: Sql) => sql`select 'column', c.relname::text, a.attname::text,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), 'collate ' || nullif(l.collname, 'default'),
      case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid),
      case a.attidentity when 'a' then 'identity' end), true
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${inSchema}`;

/** Primary keys keep their names when tables are renamed; other indexes are identified by name. Those being created are ignored. */
const indexes = (
  inSchema: Sql,
) => sql`select 'index', c.relname::text, case when x.indisprimary then '' else i.relname end,
    regexp_replace(pg_get_indexdef(i.oid), 'INDEX \\S+ ON', 'INDEX ON'), x.indisvalid
  from pg_class c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
  where ${inSchema} and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.oid)`;

const constraints = (inSchema: Sql) => sql`select 'constraint', c.relname::text, '', pg_get_constraintdef(k.oid), true
  from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype in ('f', 'c') where ${inSchema}`;

function keyOf({ kind, table, name, definition }: Part): string {
  return JSON.stringify([kind, table, name, definition]);
}

function sameName(part: Part, other: Part): boolean {
  return part.kind === other.kind && part.table === other.table && part.name === other.name && part.name !== '';
}

function missingPart(database: Database, model: Model, part: Part, strange: readonly Part[]): Problem {
  const { kind, table, name, definition } = part;
  const { schema } = model;
  const other = strange.find((candidate) => sameName(candidate, part));
  if (kind !== 'index' || name === '') {
    const text = other
      ? `${schema}.${table}.${name} is ${other.definition} and has to be ${definition}`
      : `${schema}.${table} lacks the ${kind} ${name || definition} ${name && definition}`.trimEnd();
    return { text, remedy: 'restore the organization from a backup, or correct the table by hand' };
  }
  const drop = sql`drop index if exists ${identifier(schema, name)}`;
  const create = indexAsDefined(schema, part);
  return {
    text: `${schema}.${table} lacks the index ${name}`,
    remedy: repairing,
    async repair() {
      await database.run(model.organizationId, statement(drop));
      await database.run(model.organizationId, statement(create));
    },
  };
}

/** The index in PostgreSQL's words, created concurrently. */
function indexAsDefined(schema: string, { table, name, definition }: Part): Sql {
  const [, unique, rest] = /^CREATE (UNIQUE )?INDEX ON \S+ ([^]*)$/.exec(definition) ?? [];
  if (rest === undefined) throw new Error(`An index is defined in an unknown way: ${definition}`);
  return sql`create ${trusted(unique ?? '')} index concurrently ${identifier(name)} on ${identifier(schema, table)}
    ${trusted(rest)}`;
}

function stranger(schema: string, { kind, table, name, definition }: Part): Problem {
  return {
    text: `${schema}.${table} has a ${kind} that the model does not know: ${name || definition}`,
    remedy: 'remove it by hand if nothing else needs it',
  };
}

/** The problem of an unreadable schema. */
export function unreadable(schema: string, error: unknown): Problem {
  const isAway = error instanceof KithError && error.code === 'UNAVAILABLE';
  const remedy = isDiskFull(error)
    ? 'make room on the disk of the server it lies on'
    : isAway
      ? 'start the server it lies on'
      : 'restore the organization from a backup';
  return { text: `${schema} cannot be read (${messageOf(error)})`, remedy };
}
