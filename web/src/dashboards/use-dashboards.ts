import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';

/** The dashboards of the organization, sorted by name. */
export function useDashboards() {
  return useQuery({
    queryKey: [...keys.dashboards, 'list'],
    queryFn: () => kith.dashboards.list({ limit: 100 }),
  });
}
