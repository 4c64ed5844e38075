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
  /** Whether they are known, as far as that goes. */
  readonly isKnown: boolean;
}

/** Views are asked for anew so often. */
const lookMs = 60_000;

/** The views of the object: one's own, and those that are shared. */
export function useViews(object: string): Views {
  const { data, isError } = useQuery({
    queryKey: keys.views(object),
    queryFn: async () => {
      const views: View[] = [];
      for await (const view of kith.views.listAll({ object, limit: 100 })) views.push(view);
      return views;
    },
    // Others share, rename and delete views meanwhile.
    staleTime: 0,
    refetchInterval: lookMs,
  });
  return { views: data ?? none, isKnown: data !== undefined || isError };
}

/** What a view shows. */
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

/** What is kept of the list in a view; a condition without its value is none yet. */
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
