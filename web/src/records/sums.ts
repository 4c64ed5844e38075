/** Sums at the foot of a list; of amounts one for each currency, never over several of them. */
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { Field } from '../api/workspace.ts';
import { valueTypeOf } from '../values/shapes.ts';
import type { RowsQuery } from './rows-cache.ts';

const summed = new Set(['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'CURRENCY', 'DURATION', 'ELAPSED_TIME']);

/** Whether values of the field add up. */
export function canSum(field: Pick<Field, 'type' | 'valueType'>): boolean {
  return summed.has(valueTypeOf(field));
}

export type Sums = Readonly<Record<string, number | string>>;

interface Grouped {
  readonly results?: readonly { readonly group: unknown; readonly value: number | string | null }[];
}

/** The sums of the field over all that match. */
export function useSums(object: string, field: string | undefined, { filters, search }: RowsQuery): Sums | undefined {
  const query = { field, function: 'SUM', ...(filters && { filters }), ...(search && { search }) };
  const { data } = useQuery({
    queryKey: keys.sums(object, query),
    enabled: field !== undefined,
    queryFn: async ({ signal }) => {
      const asked = { ...query, field: field ?? '', group_by: `${field}.currency` };
      const answer = (await kith.records.aggregate(object, asked, { signal })) as Grouped;
      const sums = answer.results ?? [];
      return Object.fromEntries(
        sums.flatMap(({ group, value }) => (typeof group === 'string' && value !== null ? [[group, value]] : [])),
      ) as Sums;
    },
  });
  return data;
}

interface Added {
  readonly value?: number | string | null;
  /** Of computed amounts of several currencies. */
  readonly currencies?: Sums;
}

/** What the numbers of the field add up to, over all that match. */
export function useSum(object: string, field: string | undefined, { filters, search }: RowsQuery): Added | undefined {
  const query = { field: field ?? '', function: 'SUM', ...(filters && { filters }), ...(search && { search }) };
  return useQuery({
    queryKey: keys.sums(object, { ...query, isWhole: true }),
    enabled: field !== undefined,
    queryFn: async ({ signal }) => (await kith.records.aggregate(object, query, { signal })) as Added,
  }).data;
}
