/** Groups of possible duplicates, and those that somebody marked as different. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kith } from '../api/kith.ts';
import type { KithRecord } from '../api/workspace.ts';
import { remember, remembered } from '../app/remembered.ts';

export interface Group {
  /** Equal for the same records in any order. */
  readonly key: string;
  readonly records: readonly KithRecord[];
  readonly reason: string;
}

export interface Found {
  readonly groups: readonly Group[];
  readonly isSome: boolean;
}

/** Most groups shown. */
const mostGroups = 200;

/** Finds the groups of an object. */
export function useGroups(object: string, isAsked: boolean) {
  return useQuery({
    queryKey: ['records', object, 'duplicates'],
    enabled: isAsked,
    // Each search compares thousands of records: it is repeated only after a merge.
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

/** Groups marked as different, kept in this browser: the service does not store that. */
export function useDifferent(object: string): Different {
  const storageKey = `kith-not-the-same-${object}`;
  const [, setVersion] = useState(0);
  const keys = new Set<string>(JSON.parse(remembered(storageKey) ?? '[]') as string[]);
  const keep = () => {
    remember(storageKey, JSON.stringify([...keys]));
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
