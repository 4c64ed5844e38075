/** Views: the settings of an object's table or board, as stored and as a caller sees them. */
import type { Call } from '../../access/call.ts';
import { errors, KithError } from '../../errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import type { SortKey } from '../../query/order.ts';
import { planAggregate } from '../../query/plan-aggregate.ts';
import { planGroups } from '../../query/plan-groups.ts';
import { noMemory } from '../../query/known-list.ts';
import { planList } from '../../query/plan-list.ts';
import { keptFilter, shownPath, storedPath } from '../reading/stored-paths.ts';

export const layouts = ['table', 'board'] as const;

/** Characters of a stored view: a page has a hundred of them. */
const longestView = 20_000;

export interface ViewColumn {
  readonly field: string;
  /** Pixels; the client's default where absent. */
  readonly width?: number;
}

/** The parts of a view, whether fields are given by name or by id. */
export interface ViewParts {
  readonly layout: (typeof layouts)[number];
  /** Null for the default columns. */
  readonly columns: readonly ViewColumn[] | null;
  readonly filters: FilterGroup | null;
  readonly sort: readonly SortKey[];
  readonly search: string | null;
  readonly group_by: string | null;
  /** The field that is summed. */
  readonly totals: string | null;
}

/** With fields by id: `storedPath` paths, and the fields' names at the time. */
export interface StoredView extends ViewParts {
  readonly names: Readonly<Record<string, string>>;
}

/** With fields by current name, without what the caller may no longer see. */
export interface SeenView {
  readonly parts: ViewParts;
  /** Whether something is left out. */
  readonly isPartial: boolean;
  /** The fields left out, as far as the caller may know of them. */
  readonly unavailable: readonly string[];
}

export const emptyView: ViewParts = {
  layout: 'table',
  columns: null,
  filters: null,
  sort: [],
  search: null,
  group_by: null,
  totals: null,
};

/** Parses the column of a view. */
export function storedView(text: string): StoredView {
  return parseJson(text) as unknown as StoredView; // nothing else is ever stored there
}

/**
 * The view in stored form. Throws whatever showing it would throw, and VALIDATION_ERROR where its parts do not fit
 * together.
 */
export function viewToStore(call: Call, object: ObjectDef, parts: ViewParts): StoredView {
  if (parts.layout === 'board' && parts.group_by === null)
    throw errors.missingField('group_by', 'a board has a column for each value of it');
  requireUsable(call, object, parts);
  return bounded(named(call, object, parts));
}

/** The stored view with the given parts replaced; others stay, even if the caller does not see them. */
export function changedView(call: Call, object: ObjectDef, stored: StoredView, given: Partial<ViewParts>): StoredView {
  const { parts: seen, isPartial } = seenView(call, object, stored);
  const parts = { ...seen, ...given };
  const isBoardAnew = 'layout' in given || 'group_by' in given;
  // A board whose field is gone is validated as a table: other changes must not fail because of it.
  const { layout } = isPartial && !isBoardAnew ? emptyView : parts;
  const anew = viewToStore(call, object, { ...parts, layout });
  const kept = Object.fromEntries(Object.keys(given).map((key) => [key, anew[key as keyof ViewParts]]));
  return bounded({ ...stored, ...kept, names: { ...stored.names, ...anew.names } });
}

/** The usable parts of the view, by current names. */
export function seenView(call: Call, object: ObjectDef, stored: StoredView): SeenView {
  const there = keptOf(call, object, stored, () => true);
  // Try the whole view first, since usually only names have changed: a view may have hundreds of conditions.
  if (isUsable(call, object, there.parts)) return there;
  return keptOf(call, object, stored, (part) => isUsable(call, object, part));
}

/** The visible parts for which `isKept` holds; each is tested as a view of its own. */
function keptOf(call: Call, object: ObjectDef, stored: StoredView, isKept: (part: ViewParts) => boolean): SeenView {
  const unavailable = new Set<string>();
  let isPartial = false;
  const parts = partsBy(stored, (path, asPart) => {
    const name = shownPath(call, object, path);
    if (name !== undefined && isKept(asPart(name))) return name;
    isPartial = true;
    // Only callers who see all fields learn the name of a deleted one: others could tell deleted from hidden fields
    // by it.
    const shownName = name ?? (call.visibility.isAdmin ? stored.names[path] : undefined);
    if (shownName !== undefined) unavailable.add(shownName);
    return undefined;
  });
  return { parts, isPartial, unavailable: [...unavailable] };
}

/** Throws what a list, a grouped list or a sum with these parts would throw. */
function requireUsable(call: Call, object: ObjectDef, parts: ViewParts): void {
  const { columns, filters, sort, search, group_by: groupBy, totals } = parts;
  const filter = { where: filters ? [filters] : [], search: search ?? undefined };
  const fields = columns?.map(({ field }) => field) ?? ['id'];
  planList(call, object, { ...filter, sort, limit: 1, fields }, call.signer, noMemory);
  if (groupBy !== null) planGroups(call, object, { ...filter, sort, groupBy, limit: 1, fields }, () => undefined);
  if (totals === null) return;
  const sum = { field: totals, function: 'SUM', groupBy: groupBy === null ? [] : [groupBy] };
  planAggregate(call, object, { ...filter, ...sum }, () => undefined);
}

function isUsable(call: Call, object: ObjectDef, parts: ViewParts): boolean {
  try {
    requireUsable(call, object, parts);
    return true;
  } catch (error) {
    if (error instanceof KithError) return false;
    throw error;
  }
}

/** Converts a path, or returns undefined; `asPart` makes a view with this part alone. */
type Renaming = (path: string, asPart: (name: string) => ViewParts) => string | undefined;

/** The parts with converted paths, without those that have no conversion. */
function partsBy({ layout, search, ...given }: ViewParts, rename: Renaming): ViewParts {
  const columns = given.columns?.flatMap((column) => {
    const field = rename(column.field, (name) => ({ ...emptyView, columns: [{ field: name }] }));
    return field === undefined ? [] : [{ ...column, field }];
  });
  const sort = given.sort.flatMap((key) => {
    const field = rename(key.field, (name) => ({ ...emptyView, sort: [{ ...key, field: name }] }));
    return field === undefined ? [] : [{ ...key, field }];
  });
  const filters =
    given.filters &&
    keptFilter(given.filters, (condition) =>
      rename(condition.field, (field) => ({
        ...emptyView,
        filters: { type: 'AND', conditions: [{ ...condition, field }] },
      })),
    );
  const single = (path: string | null, key: 'group_by' | 'totals') =>
    path === null ? null : (rename(path, (name) => ({ ...emptyView, [key]: name })) ?? null);
  return {
    layout,
    columns: columns && columns.length > 0 ? columns : null,
    filters: filters ?? null,
    sort,
    search,
    group_by: single(given.group_by, 'group_by'),
    totals: single(given.totals, 'totals'),
  };
}

function named(call: Call, object: ObjectDef, parts: ViewParts): StoredView {
  const names: Record<string, string> = {};
  const byIds = partsBy(parts, (path) => {
    const stored = storedPath(call.model, object, path);
    names[stored] = path;
    return stored;
  });
  return { ...byIds, names };
}

/** Throws VALIDATION_ERROR for a view that is too long. */
function bounded(view: StoredView): StoredView {
  const used = new Set<string>();
  partsBy(view, (path) => {
    used.add(path);
    return path;
  });
  const names = Object.fromEntries(Object.entries(view.names).filter(([path]) => used.has(path)));
  const kept = { ...view, names };
  if (JSON.stringify(kept).length > longestView)
    throw errors.validation(`A view has at most ${longestView} characters, its filters among them`);
  return kept;
}
