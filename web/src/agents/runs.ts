/** Runs: change sets of agents or of people, newest first, and the writes of one of them. */
import { useQuery } from '@tanstack/react-query';
import type { ChangeSetsListItem, ChangeSetsWritesItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';

export type Run = ChangeSetsListItem;
export type By = 'agents' | 'people';

/** Change sets read per request; those of agents are picked from them. */
const pageSize = 100;

/** Whether an agent did it; for an import, `agent` is the file's name. */
export function isOfAgent({ means, agent }: Pick<Run, 'means' | 'agent'>): boolean {
  return means === 'tool' || means === 'agent' || (agent !== null && means !== 'import');
}

/** The runs, page by page. */
export function useRuns(by: By, actor: string | undefined) {
  return usePages([...keys.changeSets, by, actor], async (at) => {
    const page = await kith.changeSets.list({ limit: pageSize, ...at, ...(actor !== undefined && { actor }) });
    return { ...page, data: page.data.filter((run) => isOfAgent(run) === (by === 'agents')) };
  });
}

/** One run by id, whatever its age. */
export function useRun(id: string) {
  return useQuery({
    queryKey: [...keys.changeSets, id],
    queryFn: async () => (await kith.changeSets.get(id)).change_set,
  });
}

/** A dry run of the undo. */
export function useUndoTrial(id: string) {
  return useQuery({
    queryKey: [...keys.changeSets, id, 'trial'],
    queryFn: () => kith.changeSets.undo({ change_set: id }, { dryRun: true }),
  });
}

export type Write = ChangeSetsWritesItem;

const mostNamed = 3;

/** The names of the first records that the run wrote; fetched once `isSeen`. */
export function useFirstNames(id: string, isSeen: boolean): readonly string[] {
  const { data } = useQuery({
    queryKey: [...keys.changeSets, id, 'names'],
    queryFn: ({ signal }) => kith.changeSets.writes(id, { limit: mostNamed }, { signal }),
    enabled: isSeen,
  });
  return [...new Set(data?.data.flatMap(({ display }) => display ?? []))];
}

/** The writes of the run, page by page, in order. */
export function useWrites(id: string) {
  return usePages([...keys.changeSets, id, 'writes'], (at, { signal }) =>
    kith.changeSets.writes(id, { limit: 50, ...at }, { signal }),
  );
}
