/** Brings a copy up to date with an original that is no longer written: changed and deleted rows. */
import type { Database, Transaction } from '../postgres/database.ts';
import { identifier, join, literal, sql, statement, type Sql } from '../postgres/sql.ts';
import { copyTable, differs, type Copied } from './copy-organization.ts';
import { linkedTables, readRows, writeRows, type Table } from './tables.ts';

interface Ends {
  readonly from: Transaction;
  readonly to: Transaction;
  readonly schema: string;
}

/** Catches up. Throws if the copy differs in the end. */
export async function catchUp(
  ends: Ends,
  { tables, since }: Copied,
  engines: { readonly from: Database['engine']; readonly to: Database['engine'] },
): Promise<void> {
  // On Citus, transaction numbers are those of other servers: everything is copied again.
  if (engines.from === 'citus') return replaceAll(ends, tables);
  const outdated = await outdatedTables(ends, tables, since);
  const linked = tables.filter(({ name }) => linkedTables.includes(name));
  if (linked.some(({ name }) => outdated.has(name))) await replaceAll(ends, linked);
  for (const table of tables) {
    const count = outdated.get(table.name);
    if (count === undefined || linked.includes(table)) continue;
    // Temporary tables are on the coordinator and cannot be joined with sharded ones.
    if (engines.to === 'citus') await replaceAll(ends, [table]);
    else await replaceChanged(ends, table, since, count);
  }
}

/** Tables with changed rows or a different row count, with the wanted count. */
async function outdatedTables(
  { from, to, schema }: Ends,
  tables: readonly Table[],
  since: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = async (tx: Transaction, changes: Sql) => {
    const queries = tables.map(
      ({ name }) => sql`select ${literal(name)}, count(*), ${changes} from ${identifier(schema, name)} t`,
    );
    const { rows } = await tx.run(statement(join(queries, ' union all ')));
    return new Map(rows.map(([name, rows, changed]) => [name ?? '', { rows: Number(rows), changed: Number(changed) }]));
  };
  const [original, copy] = await Promise.all([
    counts(from, sql`count(*) filter (where ${changedSince(since)})`),
    counts(to, sql`0`),
  ]);
  const outdated = [...original].filter(([name, { rows, changed }]) => changed > 0 || copy.get(name)?.rows !== rows);
  return new Map(outdated.map(([name, { rows }]) => [name, rows]));
}

/** Whether a row changed since then; the age counts back from now, so it survives the wraparound of transaction numbers. */
function changedSince(since: string): Sql {
  return sql`age(t.xmin) <= age(${literal(since)}::xid)`;
}

async function replaceAll({ from, to, schema }: Ends, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => identifier(schema, name));
  await to.run(statement(sql`truncate ${join(names, ', ')}`));
  for (const table of tables) await copyTable(from, to, schema, table);
}

const fresh = identifier('pg_temp', 'kith_changed');
const kept = identifier('pg_temp', 'kith_kept');

async function replaceChanged(ends: Ends, table: Table, since: string, wanted: number): Promise<void> {
  const { from, to, schema } = ends;
  const own = identifier(schema, table.name);
  const columns = join(
    table.columns.map(([name]) => identifier(name)),
    ', ',
  );
  await to.script(statement(sql`create temporary table kith_changed (like ${own}) on commit drop`).text);
  let sent = { rows: 0, sha256: '' };
  await writeRows(to, fresh, table, async (write) => {
    sent = await readRows(from, schema, table, write, changedSince(since));
  });
  if (sent.rows > 0) await to.run(statement(sql`delete from ${own} t using ${fresh} c where ${sameKey(table, 'c')}`));
  // Deletes come first: a deleted row may have had a unique value of a new one.
  if ((await countOf(to, own)) + sent.rows !== wanted) await removeOthers(ends, table, own);
  if (sent.rows > 0) {
    await to.run(
      statement(sql`insert into ${own} (${columns}) overriding system value select ${columns} from ${fresh}`),
    );
  }
  const isChanged = sql`exists (select 1 from ${fresh} c where ${sameKey(table, 'c')})`;
  const arrived = await readRows(to, schema, table, undefined, isChanged);
  if (arrived.sha256 !== sent.sha256 || (await countOf(to, own)) !== wanted) throw differs(table.name);
  await to.script('drop table pg_temp.kith_changed');
}

async function removeOthers({ from, to, schema }: Ends, table: Table, own: Sql): Promise<void> {
  const keys = { ...table, columns: table.columns.filter(([name]) => table.key.includes(name)) };
  const names = join(
    table.key.map((name) => identifier(name)),
    ', ',
  );
  await to.script(
    statement(sql`create temporary table kith_kept on commit drop as select ${names} from ${own} with no data`).text,
  );
  await writeRows(to, kept, keys, (write) => readRows(from, schema, keys, write));
  await to.script('analyze pg_temp.kith_kept');
  await to.run(
    statement(sql`delete from ${own} t where not exists (select 1 from ${kept} c where ${sameKey(table, 'c')})`),
  );
  await to.script('drop table pg_temp.kith_kept');
}

function sameKey(table: Table, alias: string): Sql {
  const pairs = table.key.map((name) => sql`t.${identifier(name)} = ${identifier(alias)}.${identifier(name)}`);
  return join(pairs, ' and ');
}

async function countOf(tx: Transaction, table: Sql): Promise<number> {
  const { rows } = await tx.run(statement(sql`select count(*) from ${table}`));
  return Number(rows[0]?.[0]);
}
