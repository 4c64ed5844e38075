/** A table with one field, filled with a sample's values, and the questions that the conformance suite asks of it. */
import type { FieldType, Member, ReadScope } from '../../src/fields/field-type.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { newId } from '../../src/lib/id.ts';
import type { Database, Row } from '../../src/postgres/database.ts';
import { identifier, join, literal, sql, statement, trusted } from '../../src/postgres/sql.ts';
import type { Sql } from '../../src/postgres/sql.ts';
import { decodeContext, filterContext, pipelines } from './samples/sample.ts';
import type { Sample } from './samples/sample.ts';

export interface Stand {
  readonly type: FieldType;
  readonly scope: ReadScope;
  /** Ids in the order of the sample's values. */
  readonly ids: readonly string[];
  /** JSON and cell of every value, by the first member of its reading. */
  readonly shown: readonly { readonly json: string; readonly cell: string }[];
  select(columns: readonly Sql[], tail: Sql): Promise<readonly Row[]>;
}

/** Creates the table `name` and stores the sample in it. */
export async function buildStand(database: Database, name: string, sample: Sample): Promise<Stand> {
  const run = async (query: Sql): Promise<readonly Row[]> => (await database.run('test', statement(query))).rows;
  const { field } = sample;
  const type = fieldType(field.type);
  const columns = type.columns(field);
  const table = identifier(name);
  const definitions = columns.map((column) => sql`, ${identifier(column.name)} ${trusted(column.type)}`);
  await run(sql`create table ${table} (row_id uuid primary key, linked uuid[], links text ${join(definitions, '')})`);
  const ids: string[] = [];
  for (const { written } of sample.values) {
    const id = newId();
    ids.push(id);
    const cells = type.decode(written, field, decodeContext);
    const values = columns.map((column, at) => sql`, ${cells[at] ?? null}::${castType(column.type)}`);
    const links = (await type.links?.(written, field, decodeContext)) ?? [];
    const shownLinks = links.map(({ target, junction }) => ({
      id: target,
      display: `name of …${target.slice(-4)}`,
      cells: junction,
    }));
    await run(sql`insert into ${table} values (${id}::uuid, ${links.map((link) => link.target)}::uuid[],
      ${links.length === 0 ? null : JSON.stringify(shownLinks)}::text ${join(values, '')})`);
  }
  const scope = scopeOf('r');
  const select: Stand['select'] = (selected, tail) =>
    run(sql`select ${join([sql`r.row_id`, ...selected], ', ')} from ${table} r ${tail}`);
  const reading = type.read(field, scope);
  const rows = await select(reading.columns, sql`order by r.row_id`);
  return { type, scope, ids, select, shown: rows.map((row) => show(row, reading.members[0])) };
}

function show(row: Row, member: Member | undefined): { json: string; cell: string } {
  return { json: member?.json(row, 1) ?? '', cell: member?.cell(row, 1) ?? '' };
}

/** A scope of the row `alias` whose displays say what they were asked for. */
export function scopeOf(alias: string): ReadScope {
  const row = trusted(alias);
  return {
    row,
    operand() {
      throw new Error('No other field here');
    },
    units: () => [],
    rollupUnits: () => [],
    linkedIds: () => sql`${row}.linked`,
    rollup() {
      throw new Error('No other record here');
    },
    clock: filterContext,
    display: (objectName, id) => sql`(${literal(objectName)} || ' ' || right(${id}::text, 4))`,
    userDisplay: (id) => sql`('user ' || right(${id}::text, 4))`,
    links: () => sql`${row}.links`,
    related: () => sql`${row}.links`,
    pipelines,
  };
}

export function castType(type: string): Sql {
  return trusted(type.replace(/ collate .*/, ''));
}
