/** Sums of amounts, one for each currency: never over several of them. */
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { RowsQuery } from './use-rows.ts';

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
