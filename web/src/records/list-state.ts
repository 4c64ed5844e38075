/** The state of a list is its address, so that it can be shared, bookmarked and gone back to. */
import type { FilterGroup, SortKey } from '../../../client/index.js';

export interface ColumnChoice {
  readonly field: string;
  /** In pixels; undefined for the default of the field's type. */
  readonly width?: number | undefined;
}

export interface ListState {
  readonly view: string | undefined;
  readonly search: string;
  readonly filter: FilterGroup | undefined;
  readonly sort: readonly SortKey[];
  /** Undefined for the default columns. */
  readonly columns: readonly ColumnChoice[] | undefined;
  readonly layout: 'table' | 'board';
  /** The field that groups the board. */
  readonly group: string | undefined;
  /** The field to sum; undefined for the amounts among the columns. */
  readonly totals: string | undefined;
  /** The id of the record in the side panel. */
  readonly peek: string | undefined;
}

export type Address = Readonly<Record<string, string | undefined>>;

/** Whether it has the shape of a FilterGroup. */
function isFilterGroup(value: unknown): value is FilterGroup {
  if (typeof value !== 'object' || value === null) return false;
  const { type, conditions } = value as Partial<FilterGroup>;
  if ((type !== 'AND' && type !== 'OR') || !Array.isArray(conditions)) return false;
  return conditions.every(
    (one) => isFilterGroup(one) || (typeof one === 'object' && 'field' in one && 'operator' in one),
  );
}

/** In an address, removes the filter of the view. */
const noFilter = 'none';

/** Parses the filter of an address; undefined if there is none. */
export function filterIn(text: string | undefined): FilterGroup | undefined {
  if (!text) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return isFilterGroup(found) && found.conditions.length > 0 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the filter of an address cannot be parsed, for example because it was cut off. */
export function isBrokenFilter(text: string | undefined): boolean {
  if (!text || text.trim() === '' || text === noFilter) return false;
  try {
    return !isFilterGroup(JSON.parse(text));
  } catch {
    return true;
  }
}

/** Parses `name,-close_date`. */
function sortIn(text: string | undefined): readonly SortKey[] {
  if (!text) return [];
  const keys = text.split(',').filter((part) => part !== '' && part !== '-');
  return keys
    .slice(0, 5)
    .map((part) =>
      part.startsWith('-') ? { field: part.slice(1), direction: 'desc' } : { field: part, direction: 'asc' },
    );
}

/** Parses `full_name:220,owner`. */
function columnsIn(text: string | undefined): readonly ColumnChoice[] | undefined {
  if (!text || text === 'usual') return undefined;
  const found = text.split(',').flatMap((part): ColumnChoice[] => {
    const [, field, width] = /^([\w.]+)(?::(\d{2,4}))?$/.exec(part) ?? [];
    return field === undefined ? [] : [{ field, width: width === undefined ? undefined : Number(width) }];
  });
  return found.length > 0 ? found : undefined;
}

/** The state of the address; what it leaves out comes from the view. */
export function stateIn(address: Address, saved?: Partial<ListState>): ListState {
  const has = (name: string) => address[name] !== undefined;
  return {
    view: address['view'],
    search: has('q') ? (address['q'] ?? '').trimStart() : (saved?.search ?? ''),
    filter: has('f') ? filterIn(address['f']) : saved?.filter,
    sort: has('sort') ? sortIn(address['sort']) : (saved?.sort ?? []),
    columns: has('cols') ? columnsIn(address['cols']) : saved?.columns,
    layout: has('layout') ? (address['layout'] === 'board' ? 'board' : 'table') : (saved?.layout ?? 'table'),
    group: has('group') ? address['group']?.trim() || undefined : saved?.group,
    totals: has('total') ? address['total']?.trim() || undefined : saved?.totals,
    peek: address['peek'],
  };
}

/** A change of the state as parts of the address. What is removed from a view is written as `none`. */
export function addressOf(change: Partial<ListState>): Address {
  const parts: Record<string, string | undefined> = {};
  if ('view' in change) parts['view'] = change.view;
  if (change.search !== undefined) parts['q'] = change.search === '' ? undefined : change.search;
  if ('filter' in change) parts['f'] = change.filter ? JSON.stringify(change.filter) : undefined;
  if (change.sort) {
    const keys = change.sort.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field));
    parts['sort'] = keys.length > 0 ? keys.join(',') : undefined;
  }
  if ('columns' in change)
    parts['cols'] = change.columns?.map(({ field, width }) => (width ? `${field}:${Math.round(width)}` : field)).join();
  if (change.layout) parts['layout'] = change.layout === 'board' ? 'board' : undefined;
  if ('group' in change) parts['group'] = change.group;
  if ('totals' in change) parts['total'] = change.totals;
  if ('peek' in change) parts['peek'] = change.peek;
  return parts;
}

/** The parts of an address that change its view. */
export const changeable = ['q', 'f', 'sort', 'cols', 'layout', 'group', 'total'] as const;

/** Parts removed from a view must be explicit, or the view would bring them back. */
export function overView(parts: Address, hasView: boolean): Address {
  if (!hasView) return parts;
  const none: Record<string, string> = {
    q: ' ',
    f: noFilter,
    sort: '-',
    layout: 'table',
    cols: 'usual',
    group: ' ',
    total: ' ',
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, value === undefined ? none[name] : value]),
  );
}
