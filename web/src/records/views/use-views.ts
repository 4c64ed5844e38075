import { useQuery } from '@tanstack/react-query';
import type { ViewsListItem } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { keys } from '../../api/queries.ts';
import { wholeOf } from '../filter/tree.ts';
import type { ListState } from '../list-state.ts';

export type View = ViewsListItem;

const none: readonly View[] = [];

interface Views {
  readonly views: readonly View[];
  /** Whether they are loaded. */
  readonly isKnown: boolean;
}

/** Interval at which views are fetched again. */
const lookMs = 60_000;

/** The reader's views of the object, and the shared ones. */
export function useViews(object: string): Views {
  const { data, isError } = useQuery({
    queryKey: keys.views(object),
    queryFn: async () => {
      const views: View[] = [];
      for await (const view of kith.views.listAll({ object, limit: 100 })) views.push(view);
      return views;
    },
    // Others may share, rename or delete views meanwhile.
    staleTime: 0,
    refetchInterval: lookMs,
  });
  return { views: data ?? none, isKnown: data !== undefined || isError };
}

/** The state stored in a view. */
export function savedState(view: View): Partial<ListState> {
  return {
    layout: view.layout,
    search: view.search ?? '',
    filter: view.filters ?? undefined,
    sort: view.sort,
    columns: view.columns ?? undefined,
    group: view.group_by ?? undefined,
    totals: view.totals ?? undefined,
  };
}

/** The parts of a list's state that a view stores; incomplete conditions are left out. */
export function keptOf({ layout, search, filter, sort, columns, group, totals }: ListState) {
  return {
    layout,
    search: search === '' ? null : search,
    filters: (filter && wholeOf(filter)) ?? null,
    sort,
    columns: columns?.map(({ field, width }) => ({ field, ...(width !== undefined && { width }) })) ?? null,
    group_by: group ?? null,
    totals: totals ?? null,
  };
}
