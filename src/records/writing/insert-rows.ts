/** The insert of many decoded rows: one statement for rows, history and state, one per link table; halved where the database refuses. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { nextSlice } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { isRefusal } from '../../postgres/failure.ts';
import { identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import { authorOf, leave } from './leave.ts';
import { castType, storedColumns } from './columns.ts';
import { duplicateIn } from './duplicate.ts';
import type { DecodedRow } from '../import/decode-rows.ts';
import type { RowFailure } from '../import/row-failure.ts';
import { firstPosition } from './link-order.ts';
import { insertLinks } from './links.ts';
import { withClauses } from './references.ts';
import { joinTexts, searchParts } from './search-parts.ts';
import { duplicateOf, takenKeys, uniqueKeys } from './unique.ts';
import { takeValuesOfRows } from './unique-values.ts';

/** Inserts the rows and returns their ids in order; what can't go in is added to `failures`. */
export async function insertRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly DecodedRow[],
  failures: RowFailure[],
): Promise<string[]> {
  const fresh = await withoutDuplicates(call, tx, object, rows, failures);
  if (fresh.length === 0) return [];
  return insertOrHalve(call, tx, object, fresh, failures);
}

async function withoutDuplicates(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly DecodedRow[],
  failures: RowFailure[],
): Promise<DecodedRow[]> {
  const taken = await takenKeys(call, tx.run, object, rows);
  return rows.filter((row) => {
    const keys = uniqueKeys(object, row);
    const clash = keys.find(({ field, key }) => taken.get(field)?.has(key));
    if (clash) {
      failures.push(asDuplicate(call, object, row, clash.field));
      return false;
    }
    for (const { field, key } of keys) taken.get(field)?.add(key);
    return true;
  });
}

/** A refusal that could not be foreseen (another writer's row, a value out of the database's range) is narrowed down to its rows. */
async function insertOrHalve(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly DecodedRow[],
  failures: RowFailure[],
): Promise<string[]> {
  try {
    await tx.attempt(() => insertAll(call, tx, object, rows));
    return rows.map((row) => row.id);
  } catch (error) {
    const duplicate = duplicateIn(object, error);
    if (!duplicate && !isRefusal(error)) throw error;
    const [row, ...others] = rows;
    if (row && others.length === 0) {
      failures.push(
        duplicate ? asDuplicate(call, object, row, duplicate.field) : asFailure(call, row, error, failures),
      );
      return [];
    }
    const middle = rows.length >> 1;
    const first = await insertOrHalve(call, tx, object, rows.slice(0, middle), failures);
    return [...first, ...(await insertOrHalve(call, tx, object, rows.slice(middle), failures))];
  }
}

async function insertAll(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  rows: readonly DecodedRow[],
): Promise<void> {
  const linked = new Set(rows.flatMap((row) => [...row.links.keys()]));
  for (const field of linked) {
    const links = rows.flatMap((row) =>
      (row.links.get(field) ?? []).map((link, at) => ({ ...link, source: row.id, position: firstPosition(at) })),
    );
    await insertLinks(call, tx, field, links);
  }
  await takeValuesOfRows(call, tx, object, rows);
  const parts: Readonly<Record<string, string>>[] = [];
  for (const row of rows) parts.push(await searchParts(object, row.cells));
  await nextSlice();
  await tx.run(insertStatement(call, object, rows, parts));
}

/** `parts` are the search texts of the rows. */
function insertStatement(
  call: Call,
  object: ObjectDef,
  rows: readonly DecodedRow[],
  parts: readonly Readonly<Record<string, string>>[],
): Sql {
  const now = sql`${new Date(call.now).toISOString()}::timestamptz`;
  const columns = storedColumns(object);
  const lists: Sql[] = [];
  const aliases: Sql[] = [];
  const list = (cells: readonly (string | null)[]): Sql => {
    const alias = identifier(`c${aliases.length}`);
    lists.push(sql`${cells}::text[]`);
    aliases.push(alias);
    return sql`u.${alias}`;
  };
  const values = columns.map((column) => {
    if (column.field.type === 'ID') return sql`${list(rows.map((row) => row.id))}::uuid`;
    if (column.name === 'created_at' || column.name === 'updated_at') return now;
    const cells = rows.map((row) => row.cells.get(column.field)?.[column.at] ?? null);
    return cells.every((cell) => cell === null)
      ? sql`null::${castType(column)}`
      : sql`${list(cells)}::${castType(column)}`;
  });
  values.push(
    sql`${list(parts.map((part) => JSON.stringify(part)))}::jsonb`,
    list(parts.map((part) => joinTexts(object, part))),
  );
  const names = [...columns.map((column) => identifier(column.name)), sql`search_parts`, sql`search_text`];
  const clauses = [
    sql`written as (insert into ${call.workspace.table(object.table)} (${join(names, ', ')})
      select ${join(values, ', ')} from unnest(${join(lists, ', ')}) u (${join(aliases, ', ')}) returning id)`,
    ...leave(authorOf(call), { objectId: object.id, action: 'create' }, 1),
  ];
  return sql`${withClauses(clauses)} select count(*) from written`;
}

function asDuplicate(call: Call, object: ObjectDef, row: DecodedRow, field: FieldDef): RowFailure {
  const error = duplicateOf(call, object, field);
  return { index: row.index, code: error.code, message: error.message, fieldErrors: error.fieldErrors ?? [] };
}

/** Why the database refuses it is for the log: of the first such row, since thousands may fail alike. */
function asFailure(call: Call, row: DecodedRow, cause: unknown, before: readonly RowFailure[]): RowFailure {
  const error = errors.writeFailed(cause);
  if (!before.some(({ code }) => code === error.code)) call.report(error);
  return { index: row.index, code: error.code, message: 'The database refuses a value of this record' };
}
