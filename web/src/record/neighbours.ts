/** The previous and next record in the list that the reader came from. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { listsWith, rowsOf } from './record-query.ts';

export interface Neighbours {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Counted from 1. */
  readonly position: number;
  readonly total: number;
}

const mostAsked = 100;

/** The record's position in the list shown last, else in the one of `from`, else in the list of all records; undefined if it is in none. */
export function useNeighbours(object: string, id: string, from: string | undefined): Neighbours | undefined {
  const shown = useMemo(() => neighboursIn(listsWith(object, id)[0], id), [object, id]);
  const query = useMemo(() => queryOf(from), [from]);
  const fetched = useQuery({
    queryKey: [...keys.list(object, query), 'around'],
    queryFn: () => kith.records.list(object, { ...query, limit: mostAsked }),
    enabled: shown === undefined,
  });
  return shown ?? neighboursIn(fetched.data, id);
}

/** The neighbours in a cached list. */
function neighboursIn(data: unknown, id: string): Neighbours | undefined {
  const rows = rowsOf(data);
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1) return undefined;
  return { previous: rows[at - 1]?.id, next: rows[at + 1]?.id, position: at + 1, total: totalOf(data) ?? rows.length };
}

function totalOf(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if ('total' in data && typeof data.total === 'number') return data.total;
  return 'pages' in data && Array.isArray(data.pages) ? totalOf(data.pages[0]) : undefined;
}

/** The list's query from the address, which is JSON; an empty one for anything else. */
function queryOf(from: string | undefined): object {
  if (from === undefined) return {};
  try {
    const query: unknown = JSON.parse(from);
    return typeof query === 'object' && query !== null && !Array.isArray(query) ? query : {};
  } catch {
    return {};
  }
}
