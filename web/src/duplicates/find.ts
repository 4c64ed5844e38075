/** Groups of records that look the same, and those that somebody said are not. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kith } from '../api/kith.ts';
import type { KithRecord } from '../api/workspace.ts';
import { remember, remembered } from '../app/remembered.ts';

export interface Group {
  /** The same for the same records, in whatever order. */
  readonly key: string;
  readonly records: readonly KithRecord[];
  readonly reason: string;
}

export interface Found {
  readonly groups: readonly Group[];
  readonly isSome: boolean;
}

/** So many groups are shown. */
const mostGroups = 200;

/** Asks for the groups of an object. */
export function useGroups(object: string, isAsked: boolean) {
  return useQuery({
    queryKey: ['records', object, 'duplicates'],
    enabled: isAsked,
    // Each look compares thousands of records: it is looked again after a merge, not by itself.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<Found> => {
      const answer = await kith.records.duplicates({ object_name: object, limit: mostGroups, normalize: true });
      if (!('duplicate_groups' in answer)) return { groups: [], isSome: false };
      return {
        isSome: answer.truncated === true,
        groups: answer.duplicate_groups.map(({ records, match_reason: reason }) => {
          const known = records as KithRecord[];
          const key = known
            .map(({ id }) => id)
            .toSorted()
            .join(' ');
          return { key, records: known, reason };
        }),
      };
    },
  });
}

export interface Different {
  has(key: string): boolean;
  readonly count: number;
  mark(key: string, isDifferent: boolean): void;
  clear(): void;
}

/** Groups that are not the same, as somebody said in this browser: the service keeps no such thing. */
export function useDifferent(object: string): Different {
  const place = `kith-not-the-same-${object}`;
  const [, setVersion] = useState(0);
  const keys = new Set<string>(JSON.parse(remembered(place) ?? '[]') as string[]);
  const keep = () => {
    remember(place, JSON.stringify([...keys]));
    setVersion((was) => was + 1);
  };
  return {
    has: (key) => keys.has(key),
    count: keys.size,
    mark(key, isDifferent) {
      if (isDifferent) keys.add(key);
      else keys.delete(key);
      keep();
    },
    clear() {
      keys.clear();
      keep();
    },
  };
}
