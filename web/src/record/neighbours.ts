/** The records before and after, in the list one came from. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { listsWith, rowsOf } from './record-query.ts';

export interface Neighbours {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** From 1 on. */
  readonly place: number;
  readonly total: number;
}

const mostAsked = 100;

/** Where the record stands in the list that was shown last, else in the one of `from`, else in that of all; undefined where in none. */
export function useNeighbours(object: string, id: string, from: string | undefined): Neighbours | undefined {
  const shown = useMemo(() => neighboursIn(listsWith(object, id)[0], id), [object, id]);
  const query = useMemo(() => queryOf(from), [from]);
  const asked = useQuery({
    queryKey: [...keys.list(object, query), 'around'],
    queryFn: () => kith.records.list(object, { ...query, limit: mostAsked }),
    enabled: shown === undefined,
  });
  return shown ?? neighboursIn(asked.data, id);
}

/** The neighbours in what a cache has of a list. */
export function neighboursIn(data: unknown, id: string): Neighbours | undefined {
  const rows = rowsOf(data);
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1) return undefined;
  return { previous: rows[at - 1]?.id, next: rows[at + 1]?.id, place: at + 1, total: totalOf(data) ?? rows.length };
}

function totalOf(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if ('total' in data && typeof data.total === 'number') return data.total;
  return 'pages' in data && Array.isArray(data.pages) ? totalOf(data.pages[0]) : undefined;
}

/** The list's query as the address has it: JSON; whatever else stands there is none. */
function queryOf(from: string | undefined): object {
  if (from === undefined) return {};
  try {
    const query: unknown = JSON.parse(from);
    return typeof query === 'object' && query !== null && !Array.isArray(query) ? query : {};
  } catch {
    return {};
  }
}
