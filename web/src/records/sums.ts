/** Sums at the foot of a list; amounts are summed per currency, never across currencies. */
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { RowsQuery } from './rows-cache.ts';

export type Sums = Readonly<Record<string, number | string>>;

interface Grouped {
  readonly results?: readonly { readonly group: unknown; readonly value: number | string | null }[];
}

/** The sums of an amount over all matching records, by currency. */
export function useSums(object: string, field: string | undefined, { filters, search }: RowsQuery): Sums | undefined {
  const query = { field, function: 'SUM', ...(filters && { filters }), ...(search && { search }) };
  const { data } = useQuery({
    queryKey: keys.sums(object, query),
    enabled: field !== undefined,
    queryFn: async ({ signal }) => {
      const request = { ...query, field: field ?? '', group_by: `${field}.currency` };
      const answer = (await kith.records.aggregate(object, request, { signal })) as Grouped;
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
  /** For computed amounts in several currencies. */
  readonly currencies?: Sums;
}

/** The sum of a numeric field over all matching records. */
export function useSum(object: string, field: string | undefined, { filters, search }: RowsQuery): Added | undefined {
  const query = { field: field ?? '', function: 'SUM', ...(filters && { filters }), ...(search && { search }) };
  return useQuery({
    queryKey: keys.sums(object, { ...query, isWhole: true }),
    enabled: field !== undefined,
    queryFn: async ({ signal }) => (await kith.records.aggregate(object, query, { signal })) as Added,
  }).data;
}
