/** What a list shows, as its address says it: the address is the state, so that it can be sent, kept and gone back to. */
import type { FilterGroup, SortKey } from '../../../client/index.js';

export interface ColumnChoice {
  readonly field: string;
  /** Pixels; undefined where the type of the field decides. */
  readonly width?: number | undefined;
}

export interface ListState {
  readonly view: string | undefined;
  readonly search: string;
  readonly filter: FilterGroup | undefined;
  readonly sort: readonly SortKey[];
  /** Undefined for those that a table has by itself. */
  readonly columns: readonly ColumnChoice[] | undefined;
  readonly layout: 'table' | 'board';
  /** The field whose values are the columns of a board. */
  readonly group: string | undefined;
  /** The field that is summed up; undefined for the amounts that show. */
  readonly totals: string | undefined;
  /** The record shown beside. */
  readonly peek: string | undefined;
}

export type Address = Readonly<Record<string, string | undefined>>;

/** Whether it has the form of a group of conditions, at any depth. */
export function isFilterGroup(value: unknown): value is FilterGroup {
  if (typeof value !== 'object' || value === null) return false;
  const { type, conditions } = value as Partial<FilterGroup>;
  if ((type !== 'AND' && type !== 'OR') || !Array.isArray(conditions)) return false;
  return conditions.every(
    (one) => isFilterGroup(one) || (typeof one === 'object' && 'field' in one && 'operator' in one),
  );
}

/** Stands in an address where the filter of its view was taken off. */
export const noFilter = 'none';

/** The filter that the text of an address means; undefined where it means none. */
export function filterIn(text: string | undefined): FilterGroup | undefined {
  if (!text) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return isFilterGroup(found) && found.conditions.length > 0 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the text of an address was meant as a filter, and is none: cut off, or broken. */
export function isBrokenFilter(text: string | undefined): boolean {
  if (!text || text.trim() === '' || text === noFilter) return false;
  try {
    return !isFilterGroup(JSON.parse(text));
  } catch {
    return true;
  }
}

/** `name,-close_date`. */
export function sortIn(text: string | undefined): readonly SortKey[] {
  if (!text) return [];
  const keys = text.split(',').filter((part) => part !== '' && part !== '-');
  return keys
    .slice(0, 5)
    .map((part) =>
      part.startsWith('-') ? { field: part.slice(1), direction: 'desc' } : { field: part, direction: 'asc' },
    );
}

/** `full_name:220,owner`. */
export function columnsIn(text: string | undefined): readonly ColumnChoice[] | undefined {
  if (!text || text === 'usual') return undefined;
  const found = text.split(',').flatMap((part): ColumnChoice[] => {
    const [, field, width] = /^([\w.]+)(?::(\d{2,4}))?$/.exec(part) ?? [];
    return field === undefined ? [] : [{ field, width: width === undefined ? undefined : Number(width) }];
  });
  return found.length > 0 ? found : undefined;
}

/** What the address says; of what it does not, the view that it names. */
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

/** How a part of the state stands in the address. What is taken off a view is said, too: `none`. */
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

/** The parts of an address that say how its view was changed. */
export const changeable = ['q', 'f', 'sort', 'cols', 'layout', 'group', 'total'] as const;

/** What is taken off a view has to be said, since the view would bring it back. */
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
