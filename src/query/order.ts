/**
 * Sort orders: parsing a request's sort, and its sort keys as SQL. Nulls are last in both directions, `id` breaks
 * ties.
 */
import { errors, quoted } from '../errors.ts';
import { isObject, parseJson, storableJson, tooLong, type Json } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import { empty, type Sql } from '../postgres/sql.ts';
import { visibleAttributes } from './attributes.ts';
import type { Budget } from './budget.ts';
import { callersScope } from './callers-scope.ts';
import { contextWith, type QueryContext } from './context.ts';
import { objectScope } from './object-scope.ts';
import type { ObjectScope } from './row-scope.ts';
import { callersSubject } from './where.ts';

export type Direction = 'asc' | 'desc';

export interface SortKey {
  readonly field: string;
  readonly direction: Direction;
}

/** A sort key as SQL. */
export interface OrderKey {
  /** A column or an expression, such as a search rank. */
  readonly value: Sql;
  /** The type that its text in a cursor is cast to. */
  readonly type: string;
  readonly nullable: boolean;
  readonly direction: Direction;
}

/** The order of a list's rows. */
export interface Ordering {
  readonly keys: readonly OrderKey[];
  /** The direction of the id as tie-breaker. */
  readonly direction: Direction;
  /** Appended to the row in `from`, for the keys. */
  readonly beside: Sql;
  /**
   * Whether a key costs work per row that no index saves, such as a look-up of other records: it is computed once per
   * match.
   */
  readonly isCostly: boolean;
  /** Set where a key counts others' writes: cursors must hide it. */
  readonly isCounter?: true;
}

/** The order by a value that is never null, largest first; ids break ties. */
export function descendingBy(value: Sql, type: string): Ordering {
  return orderingBy(value, type, 'desc');
}

/** The order by a value that is never null, smallest first; ids break ties. */
export function ascendingBy(value: Sql, type: string): Ordering {
  return orderingBy(value, type, 'asc');
}

function orderingBy(value: Sql, type: string, direction: Direction): Ordering {
  return { keys: [{ value, type, nullable: false, direction }], direction, beside: empty, isCostly: false };
}

/** The order of a request. */
export interface Order extends Ordering {
  /** The order as text: field ids, types, directions. */
  readonly identity: readonly string[];
  /**
   * The time that a sort key uses, if any. Later pages reuse that of the first, or records would move past the
   * cursor.
   */
  readonly moment: number | undefined;
}

const maxSortKeys = 5;
const directions: readonly Direction[] = ['asc', 'desc'];

/**
 * Parses the sort of a request: `sort` (an array of `{ field, direction }`, or its JSON text) overrides `sort_by` and
 * `sort_dir`. Text that is not JSON is ignored with a warning, which mentions `sort_by` if the request takes it.
 * Throws VALIDATION_ERROR for JSON of another shape.
 */
export function parseSort(
  request: {
    readonly sort?: Json | undefined;
    readonly sort_by?: string | undefined;
    readonly sort_dir?: string | undefined;
  },
  fallback: readonly SortKey[],
  warn: (message: string) => void,
  takesName = true,
): readonly SortKey[] {
  const right = `${takesName ? 'sort_by=name, or ' : ''}sort=[{"field":"name","direction":"asc"}]`;
  const ignored = () => warn(`sort is not JSON and was ignored: use ${right}`);
  const sort = typeof request.sort === 'string' ? parsedOrAbsent(request.sort, ignored) : (request.sort ?? undefined);
  if (sort !== undefined) {
    const keys = sortKeys(sort);
    return keys.length > 0 ? keys : fallback;
  }
  const first = fallback[0];
  if (request.sort_by === undefined && request.sort_dir === undefined) return fallback;
  const field = request.sort_by ?? first?.field;
  if (field === undefined) return fallback;
  refuseCraftedName(field);
  const direction =
    request.sort_dir === undefined ? (first?.direction ?? 'asc') : directionOf(request.sort_dir, 'sort_dir');
  return [{ field, direction }];
}

/** Parses a sort to be stored, as an array or its JSON text. Throws VALIDATION_ERROR for anything else. */
export function parseSortKeys(sort: Json): readonly SortKey[] {
  if (typeof sort !== 'string') return sortKeys(sort);
  const problem = tooLong(sort);
  if (problem !== undefined) throw errors.validation(`sort ${problem}`);
  const parsed = storableJson(sort);
  if ('problem' in parsed)
    throw errors.validation(`sort as text ${parsed.problem}, such as [{"field":"name","direction":"asc"}]`);
  return sortKeys(parsed.value);
}

/**
 * The sort keys on `scope`'s row, or on a related record, as of `moment`, or of now. Throws INVALID_FIELD, or
 * VALIDATION_ERROR where a field cannot be sorted by or the budget is exceeded.
 */
export function orderOf(sort: readonly SortKey[], scope: ObjectScope, budget: Budget, moment?: number): Order {
  const { context, looked } = asOf(scope.context, moment);
  // A separate scope: the objects read only for the order do not affect a cached total.
  const ordering = callersScope(objectScope(context, scope.object, scope.alias), budget, 'sorted');
  ordering.reads.clear(); // filled again by keys that read other records
  const keys = new Map<string, OrderKey>();
  let direction: Direction = 'asc';
  let decided = false;
  for (const key of sort) {
    const { operand, identity } = callersSubject(key.field, ordering);
    if (!operand.sort) throw unsortable(key.field, ordering);
    if (decided || keys.has(identity)) continue;
    direction = key.direction;
    decided = key.field === 'id'; // ids are unique: later keys decide nothing
    if (!decided) keys.set(identity, { ...operand.sort, direction });
  }
  const identity = [...keys].map(([id, key]) => `${id} ${key.type} ${key.direction}`);
  const isCostly = ordering.reads.size > 0;
  const { beside } = ordering;
  return {
    keys: [...keys.values()],
    direction,
    identity: [...identity, direction],
    isCostly,
    beside,
    moment: looked(),
  };
}

function asOf(context: QueryContext, moment?: number): { context: QueryContext; looked: () => number | undefined } {
  let looked: number | undefined;
  const watched = contextWith(context, { now: () => (looked = moment ?? context.now) });
  return { context: watched, looked: () => looked };
}

/** Refuses signs and directions in `sort_by`, which other services allow there. */
function refuseCraftedName(field: string): void {
  const [, before = '', name = '', after = ''] = /^([-+]?)([^-+:,\s]+)((?:[:\s].*)?)$/.exec(field) ?? [];
  if (field.includes(','))
    throw errors.noFieldName('sort_by takes one field; several go into sort=[{"field":"name","direction":"asc"}]');
  if (before === '' && after === '') return;
  const direction = before === '-' || /desc/i.test(after) ? 'desc' : 'asc';
  const right = quoted(`sort_by=${name}&sort_dir=${direction}`);
  throw errors.noFieldName(`sort_by is the name of a field alone: ${right}, not ${quoted(field)}`);
}

function parsedOrAbsent(text: string, ignored: () => void): Json | undefined {
  const problem = tooLong(text);
  if (problem !== undefined) throw errors.validation(`sort ${problem}`);
  try {
    return parseJson(text);
  } catch {
    ignored();
    return undefined;
  }
}

function sortKeys(sort: Json): readonly SortKey[] {
  if (!Array.isArray(sort)) throw errors.validation('sort must be an array of { "field", "direction" }');
  if (sort.length > maxSortKeys) throw errors.validation(`sort takes at most ${maxSortKeys} fields`);
  return sort.map((key, index) => {
    const place = `sort[${index}]`;
    if (!isObject(key)) throw errors.validation(`${place} must be an object { "field", "direction" }`);
    const unknown = Object.keys(key).find((name) => name !== 'field' && name !== 'direction');
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, ['field', 'direction']);
      throw errors.validation(`${place} has an unknown key ${quoted(unknown)}${hint}`, undefined, [
        'field',
        'direction',
      ]);
    }
    if (typeof key['field'] !== 'string') throw errors.validation(`${place}.field must be the name of a field`);
    return { field: key['field'], direction: directionOf(key['direction'] ?? 'asc', `${place}.direction`) };
  });
}

function directionOf(value: Json, place: string): Direction {
  if (value === 'asc' || value === 'desc') return value;
  const instead = typeof value === 'string' ? `, not ${quoted(value)}${didYouMean(value, directions)}` : '';
  throw errors.validation(`${place} must be asc or desc${instead}`, undefined, directions);
}

function unsortable(name: string, scope: ObjectScope) {
  const sortable = visibleAttributes(scope.object, scope.context.visibility).filter(
    (field) => scope.operand(field.name).sort,
  );
  const message = `Records cannot be sorted by ${name}`;
  return errors.validation(
    message,
    undefined,
    sortable.map((field) => field.name),
  );
}
