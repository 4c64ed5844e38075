/**
 * A page of a sorted list as ranges for an index scan: rows after a position, split by the length of the prefix
 * that they share with it, and each sort key's nulls in a range of their own, after its values.
 */
import { and, join, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { Position } from './cursor.ts';
import type { Direction, OrderKey, Ordering } from './order.ts';

/** Rows that are contiguous in the list's order; the ranges of a page are, too. */
export interface Range {
  readonly condition: Sql;
  /** The `order by` within the range, without keys that are equal in all of its rows. */
  readonly order: Sql;
}

/** The ranges that hold all rows of the list, or those after `position`. `id` is the row's. */
export function rangesOf(order: Ordering, id: Sql, position?: Position): readonly Range[] {
  const first = order.keys[0];
  if (!position) {
    const values = first?.nullable ? [sql`${first.value} is not null`] : [];
    return [range(order, id, values, 0), ...nulls(order, id, [], 0)];
  }
  const last = order.keys.length - 1;
  const ranges = sameKeys(order, id, position);
  for (let at = last; at >= 0; at--) ranges.push(...after(order, id, position, at));
  return ranges;
}

/** Rows that share every key with the position and follow it by id; none where the last key's range includes them. */
function sameKeys(order: Ordering, id: Sql, position: Position): Range[] {
  if (pairsWithId(order, position)) return [];
  const prefix = sharedPrefix(order, position, order.keys.length);
  return [rangeOf([...prefix, sql`${id} ${sign(order.direction)} ${position.id}::uuid`], [], order, id)];
}

/** Whether the last key and the id can be compared as one pair, which a single index scan can find. */
function pairsWithId(order: Ordering, position: Position): boolean {
  const last = order.keys.length - 1;
  return order.keys[last]?.direction === order.direction && (position.keys[last] ?? null) !== null;
}

/** Rows that share the keys before `at` with the position, and follow it by that key. */
function after(order: Ordering, id: Sql, position: Position, at: number): Range[] {
  const key = order.keys[at];
  const value = position.keys[at] ?? null;
  if (!key || value === null) return []; // nothing comes after null
  const prefix = sharedPrefix(order, position, at);
  const paired = at === order.keys.length - 1 && pairsWithId(order, position);
  const beyond = paired
    ? sql`(${key.value}, ${id}) ${sign(key.direction)} (${bound(value, key)}, ${position.id}::uuid)`
    : sql`${key.value} ${sign(key.direction)} ${bound(value, key)}`;
  return [range(order, id, [...prefix, beyond], at), ...nulls(order, id, prefix, at)];
}

/**
 * Rows without a value for key `at` that share the earlier keys. They are still sorted by that key: PostgreSQL does
 * not infer from `is null` that an index has them in the order of the remaining keys.
 */
function nulls(order: Ordering, id: Sql, prefix: readonly Sql[], at: number): Range[] {
  const key = order.keys[at];
  if (!key?.nullable) return [];
  return [range(order, id, [...prefix, sql`${key.value} is null`], at)];
}

function sharedPrefix(order: Ordering, position: Position, length: number): Sql[] {
  return order.keys.slice(0, length).map((key, at) => {
    const value = position.keys[at] ?? null;
    return value === null ? sql`${key.value} is null` : sql`${key.value} = ${bound(value, key)}`;
  });
}

/**
 * Rows that all have a value for key `from`, or all have none. Without `nulls last`, since a backward index scan has
 * nulls first.
 */
function range(order: Ordering, id: Sql, conditions: readonly Sql[], from: number): Range {
  const keys = order.keys.slice(from).map((key, index) => ordered(key.value, key, key.nullable && index > 0));
  return rangeOf(conditions, keys, order, id);
}

function rangeOf(conditions: readonly Sql[], keys: readonly Sql[], order: Ordering, id: Sql): Range {
  return { condition: and(conditions), order: join([...keys, sql`${id} ${trusted(order.direction)}`], ', ') };
}

/** `order by` terms for values selected under other names. */
export function orderBy(order: Ordering, values: readonly Sql[], id: Sql): Sql {
  const keys = order.keys.flatMap((key, index) => {
    const value = values[index];
    return value ? [ordered(value, key, key.nullable)] : [];
  });
  return join([...keys, sql`${id} ${trusted(order.direction)}`], ', ');
}

function ordered(value: Sql, key: OrderKey, nullable: boolean): Sql {
  return sql`${value} ${trusted(nullable ? `${key.direction} nulls last` : key.direction)}`;
}

function sign(direction: Direction): Sql {
  return trusted(direction === 'asc' ? '>' : '<');
}

function bound(value: string, key: OrderKey): Sql {
  return sql`${value}::${trusted(key.type)}`;
}
