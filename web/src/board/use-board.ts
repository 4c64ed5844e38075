/** The columns of a board and what stands in them; moves show at once, and go back where they are refused. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FilterGroup } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { Field, KithRecord, ObjectShape, Pipeline, Step, Workspace } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import type { Sums } from '../records/sums.ts';
import type { List } from '../records/use-list.ts';
import { colorAt } from '../ui/chip.tsx';

export interface BoardColumn {
  /** The value of the field: a step's id, an option; of records without one `uncategorized`. */
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly isRing: boolean;
  readonly step: Step | undefined;
}

export interface Groups {
  readonly groups: Readonly<Record<string, readonly KithRecord[]>>;
  readonly counts: Readonly<Record<string, number>>;
}

export interface Grouping {
  readonly field: Field;
  /** How the service calls it in queries and writes. */
  readonly name: string;
  readonly pipeline: Pipeline | undefined;
  readonly columns: readonly BoardColumn[];
}

export const withoutValue = 'uncategorized';
const firstCards = 20;
export const mostCards = 100;

/** The fields whose values can be columns. */
export function groupFields({ fields }: ObjectShape): readonly Field[] {
  const all = fields.filter(({ type }) => type === 'PIPELINE' || type === 'SELECT');
  return all.toSorted((a, b) => Number(b.type === 'PIPELINE') - Number(a.type === 'PIPELINE'));
}

/** By what the board has columns: what was chosen, else the steps, else the first field with options. */
export function groupingOf(
  workspace: Workspace,
  object: ObjectShape,
  chosen: string | undefined,
  without: string,
): Grouping | undefined {
  const fields = groupFields(object);
  const field =
    fields.find(({ name, type }) => name === chosen || (type === 'PIPELINE' && chosen === 'pipeline_step_id')) ??
    fields[0];
  if (!field) return undefined;
  if (field.type === 'PIPELINE') {
    const own = workspace.pipelines.filter(({ objectName }) => objectName === object.name);
    const pipeline = own.find((one) => one.is_default) ?? own[0];
    const columns = (pipeline?.steps ?? []).map((step, at) => ({
      key: step.id,
      label: step.name,
      color: step.kind === 'won' ? 'var(--c-4)' : step.kind === 'lost' ? 'var(--c-6)' : colorAt(at),
      isRing: step.kind !== 'ongoing',
      step,
    }));
    return { field, name: 'pipeline_step_id', pipeline, columns };
  }
  const options = (field.options ?? []).map(({ value, label, color }, at) => ({
    key: value,
    label,
    color: colorAt(at, color),
    isRing: false,
    step: undefined,
  }));
  const none = { key: withoutValue, label: without, color: 'var(--c-6)', isRing: true, step: undefined };
  return { field, name: field.name, pipeline: undefined, columns: [...options, none] };
}

/** The cards of the list by column, and how to show a move. */
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
    /** Shows the card in another column; gives what puts it back. */
    show(id: string, to: string, values: Readonly<Record<string, unknown>> = {}): () => void {
      const before = queries.getQueryData<Groups>(key);
      queries.setQueryData<Groups>(
        key,
        (groups) => groups && moved(groups, id, to, { [grouping.name]: to, ...values }),
      );
      return () => queries.setQueryData(key, before);
    },
  };
}

function moved({ groups, counts }: Groups, id: string, to: string, values: Readonly<Record<string, unknown>>): Groups {
  const from = Object.keys(groups).find((key) => groups[key]?.some((card) => card.id === id));
  const card = from === undefined ? undefined : groups[from]?.find((one) => one.id === id);
  if (from === undefined || !card || from === to) return { groups, counts };
  return {
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

/** What the amounts of each column add up to, by currency. */
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

/** By what the board of the list has columns. */
export function useGrouping(list: List): Grouping | undefined {
  const workspace = useWorkspace();
  const { board } = useTexts();
  const { object, state } = list;
  return useMemo(() => {
    const found = groupFields(object).find(({ name }) => name === state.group) ?? groupFields(object)[0];
    return groupingOf(workspace, object, state.group, board.without(found?.label ?? ''));
  }, [workspace, object, state.group, board]);
}
