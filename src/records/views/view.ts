/** Views: what a table or a board of an object shows, as it is stored and as a caller sees it. */
import type { Call } from '../../access/call.ts';
import { errors, KithError } from '../../errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import type { SortKey } from '../../query/order.ts';
import { planAggregate } from '../../query/plan-aggregate.ts';
import { planGroups } from '../../query/plan-groups.ts';
import { planList } from '../../query/plan.ts';
import { keptFilter, shownPath, storedPath } from '../reading/stored-paths.ts';

export const layouts = ['table', 'board'] as const;

/** Characters of a view as it is stored: a page has a hundred of them. */
const longestView = 20_000;

export interface ViewColumn {
  readonly field: string;
  /** Pixels; as the reader has it where absent. */
  readonly width?: number;
}

/** What a view says of the table or board, whether names or ids stand for its fields. */
export interface ViewParts {
  readonly layout: (typeof layouts)[number];
  /** Null for those that a table has by itself. */
  readonly columns: readonly ViewColumn[] | null;
  readonly filters: FilterGroup | null;
  readonly sort: readonly SortKey[];
  readonly search: string | null;
  readonly group_by: string | null;
  /** The field that is summed up. */
  readonly totals: string | null;
}

/** By ids: paths of fields as `storedPath` writes them, with what they were called when they were put there. */
export interface StoredView extends ViewParts {
  readonly names: Readonly<Record<string, string>>;
}

/** By the names of today. What is not for the caller by now is left out. */
export interface SeenView {
  readonly parts: ViewParts;
  /** Whether something is left out. */
  readonly isPartial: boolean;
  /** The fields of what is left out, as far as the caller may know of them. */
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

/** The view from the text of its column. */
export function storedView(text: string): StoredView {
  return parseJson(text) as unknown as StoredView; // nothing else is ever stored there
}

/** The view as it is stored. Throws what showing it would throw, and VALIDATION_ERROR where its parts do not fit together. */
export function viewToStore(call: Call, object: ObjectDef, parts: ViewParts): StoredView {
  if (parts.layout === 'board' && parts.group_by === null)
    throw errors.missingField('group_by', 'a board has a column for each value of it');
  requireUsable(call, object, parts);
  return bounded(named(call, object, parts));
}

/** The stored view with the parts that are given in place of its own: the others stay, also where the caller does not see them. */
export function changedView(call: Call, object: ObjectDef, stored: StoredView, given: Partial<ViewParts>): StoredView {
  const { parts: seen, isPartial } = seenView(call, object, stored);
  const parts = { ...seen, ...given };
  const isBoardAnew = 'layout' in given || 'group_by' in given;
  // A board that has lost its field is shown as it can be: other changes of it are no reason to refuse it.
  const { layout } = isPartial && !isBoardAnew ? emptyView : parts;
  const anew = viewToStore(call, object, { ...parts, layout });
  const kept = Object.fromEntries(Object.keys(given).map((key) => [key, anew[key as keyof ViewParts]]));
  return bounded({ ...stored, ...kept, names: { ...stored.names, ...anew.names } });
}

/** The view by the names of today, with what is usable of it. */
export function seenView(call: Call, object: ObjectDef, stored: StoredView): SeenView {
  const unavailable = new Set<string>();
  let isPartial = false;
  const shown = (path: string) => shownPath(call, object, path);
  const whole = partsBy(stored, (path) => {
    const name = shown(path);
    if (name === undefined) isPartial = true;
    return name;
  });
  if (!isPartial && isUsable(call, object, whole)) return { parts: whole, isPartial, unavailable: [] };
  const parts = partsBy(stored, (path, asPart) => {
    const name = shown(path);
    if (name !== undefined && isUsable(call, object, asPart(name))) return name;
    isPartial = true;
    // Where a field is gone, only who sees all fields is told its name: to others it would tell one that is hidden from one that is gone.
    const told = name ?? (call.visibility.isAdmin ? stored.names[path] : undefined);
    if (told !== undefined) unavailable.add(told);
    return undefined;
  });
  return { parts, isPartial, unavailable: [...unavailable] };
}

/** Throws what a list, a grouped list or a sum would throw that is asked for so. */
function requireUsable(call: Call, object: ObjectDef, parts: ViewParts): void {
  const { columns, filters, sort, search, group_by: groupBy, totals } = parts;
  const asked = { where: filters ? [filters] : [], search: search ?? undefined };
  const fields = columns?.map(({ field }) => field) ?? ['id'];
  planList(call, object, { ...asked, sort, limit: 1, fields }, call.signer, () => undefined);
  if (groupBy !== null) planGroups(call, object, { ...asked, sort, groupBy, limit: 1, fields }, () => undefined);
  if (totals === null) return;
  const sum = { field: totals, function: 'SUM', groupBy: groupBy === null ? [] : [groupBy] };
  planAggregate(call, object, { ...asked, ...sum }, () => undefined);
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

/** The path to put in place of a stored or given one, where there is one; `asPart` makes a view of it that has nothing else. */
type Renaming = (path: string, asPart: (name: string) => ViewParts) => string | undefined;

/** The parts with other paths, without those for which there is none. */
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

/** Throws VALIDATION_ERROR for one that is longer than others can be shown. */
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
