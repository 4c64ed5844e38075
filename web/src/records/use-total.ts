import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useIsLater } from '../app/later.ts';
import type { List } from './use-list.ts';

/** The number of matching records that the reader may see. */
export function useTotal({ object, query: { filters, search } }: List): number | undefined {
  const query = { limit: 1, fields: 'id', ...(filters && { filters }), ...(search && { search }) };
  const isLater = useIsLater();
  const { data } = useQuery({
    queryKey: keys.list(object.name, query),
    enabled: isLater,
    queryFn: ({ signal }) => kith.records.list(object.name, query, { signal }),
  });
  return data?.total;
}
