/** The columns of a board and their cards; moves are shown at once and reverted if they are refused. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FilterGroup } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import type { Sums } from '../records/sums.ts';
import type { List } from '../records/use-list.ts';
import { groupingOf, withoutValue, type Grouping, type Groups } from './grouping.ts';

const firstCards = 20;
export const mostCards = 100;

/** The cards of the list by column, and a way to show a move. */
export function useGroups(list: List, grouping: Grouping, fields: string) {
  const [perColumn, setPerColumn] = useState(firstCards);
  const filters = boardFilter(list, grouping);
  const query = {
    group_by: grouping.name,
    limit_per_group: perColumn,
    fields,
    ...(filters && { filters }),
    ...(list.query.search && { search: list.query.search }),
    ...(list.query.sort && { sort: list.query.sort }),
  };
  const key = keys.groups(list.object.name, query);
  const found = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await kith.records.list(list.object.name, query, { signal })) as unknown as Groups,
    placeholderData: keepPreviousData,
  });
  return {
    ...found,
    showMore: () => setPerColumn(mostCards),
    /** Shows the card in another column; returns a function that reverts it. */
    show(id: string, to: string, values: Readonly<Record<string, unknown>>): () => void {
      const before = queries.getQueryData<Groups>(key);
      queries.setQueryData<Groups>(key, (groups) => groups && moved(groups, id, to, values));
      return () => queries.setQueryData(key, before);
    },
  };
}

function moved(was: Groups, id: string, to: string, values: Readonly<Record<string, unknown>>): Groups {
  const { groups, counts } = was;
  const from = Object.keys(groups).find((key) => groups[key]?.some((card) => card.id === id));
  const card = from === undefined ? undefined : groups[from]?.find((one) => one.id === id);
  if (from === undefined || !card || from === to) return was;
  return {
    ...was,
    groups: {
      ...groups,
      [from]: (groups[from] ?? []).filter((one) => one !== card),
      [to]: [{ ...card, ...values }, ...(groups[to] ?? [])],
    },
    counts: { ...counts, [from]: (counts[from] ?? 1) - 1, [to]: (counts[to] ?? 0) + 1 },
  };
}

function boardFilter({ query }: List, { pipeline }: Grouping): FilterGroup | undefined {
  if (!pipeline) return query.filters;
  const own = { field: 'pipeline_id', operator: 'equals' as const, value: pipeline.id };
  return { type: 'AND', conditions: [own, ...(query.filters ? [query.filters] : [])] };
}

interface Grouped {
  readonly results?: readonly { readonly group: readonly unknown[]; readonly value: number | string | null }[];
}

/** The sums of amounts per column, by currency. */
export function useColumnSums(
  list: List,
  grouping: Grouping,
  amount: string | undefined,
): ReadonlyMap<string, Sums> | undefined {
  const filters = boardFilter(list, grouping);
  const query = {
    function: 'SUM',
    field: amount ?? '',
    group_by: `${grouping.name},${amount}.currency`,
    ...(filters && { filters }),
    ...(list.query.search && { search: list.query.search }),
  };
  const { data } = useQuery({
    queryKey: keys.sums(list.object.name, query),
    enabled: amount !== undefined,
    queryFn: async ({ signal }) =>
      (await kith.records.aggregate(list.object.name, query, { signal })) as unknown as Grouped,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!data?.results) return undefined;
    const sums = new Map<string, Record<string, number | string>>();
    for (const {
      group: [column, currency],
      value,
    } of data.results) {
      if (typeof currency !== 'string' || value === null) continue;
      const key = column === null ? withoutValue : String(column);
      sums.set(key, { ...sums.get(key), [currency]: value });
    }
    return sums;
  }, [data]);
}

/** The grouping of the list's board. */
export function useGrouping(list: List): Grouping | undefined {
  const workspace = useWorkspace();
  const { object, state } = list;
  return useMemo(
    () => groupingOf(workspace, object, state.group, state.filter),
    [workspace, object, state.group, state.filter],
  );
}
