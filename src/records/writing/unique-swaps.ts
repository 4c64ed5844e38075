/**
 * Unique values that records of one set take from each other: an index checks row by row, so the values are freed
 * before they are taken.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { ObjectDef } from '../../model/model.ts';
import { identifier, sql, trusted } from '../../postgres/sql.ts';
import type { Change } from './change.ts';
import type { StoredColumn } from './columns.ts';
import type { RowWrite } from './row-write.ts';
import { keyColumns } from './unique.ts';

/** A column, and the new values of the records that take another's value. */
export interface Swap {
  readonly column: StoredColumn;
  readonly keys: ReadonlyMap<string, string>;
}

/** The values that locked records of the set take from each other. */
export async function swapsAmong(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<readonly Swap[]> {
  if (changes.length < 2) return [];
  const swaps: Swap[] = [];
  for (const column of keyColumns(object)) {
    const wanted = changes.flatMap(({ id, cells }) => {
      const key = cells.get(column.field)?.[0];
      return typeof key === 'string' ? [{ id, key }] : [];
    });
    if (wanted.length === 0) continue;
    const name = sql`t.${identifier(column.name)}::text`;
    const { rows } = await tx.run(sql`select t.id, ${name} from ${call.workspace.table(object.table)} t
      where t.id = any(${changes.map(({ id }) => id)}::uuid[]) and ${name} = any(${wanted.map(({ key }) => key)}::text[])`);
    const holders = new Map(rows.map(([id, key]) => [key, id]));
    const taken = wanted.filter(({ id, key }) => (holders.get(key) ?? id) !== id);
    if (taken.length > 0) swaps.push({ column, keys: new Map(taken.map(({ id, key }) => [id, key])) });
  }
  return swaps;
}

/** The write with the columns left empty that `fillSwaps` fills. */
export function withoutSwaps(write: RowWrite, swaps: readonly Swap[]): RowWrite {
  const columns = write.columns.map((column) => {
    const swap = swaps.find(({ column: { name } }) => name === column.name);
    if (!swap) return column;
    const ids = [...swap.keys.keys()];
    return { ...column, value: sql`case when ${write.id} = any(${ids}::uuid[]) then null else ${column.value} end` };
  });
  return { ...write, columns };
}

/** Sets the swapped values, in id order; history has their entries already. */
export async function fillSwaps(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  swaps: readonly Swap[],
): Promise<void> {
  for (const { column, keys } of swaps)
    for (const [id, key] of [...keys].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await tx.run(sql`update ${call.workspace.table(object.table)}
        set ${identifier(column.name)} = ${key}::${trusted(column.type)} where id = ${id}::uuid`);
}
