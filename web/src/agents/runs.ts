/** Runs: change sets of agents, or of people, newest first, and what one of them wrote. */
import { useQuery } from '@tanstack/react-query';
import type { ChangeSetsListItem, ChangeSetsWritesItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';

export type Run = ChangeSetsListItem;
export type By = 'agents' | 'people';

/** So many change sets are looked through at once for those of agents. */
const pageSize = 100;

/** Whether an agent did it: an import has its file's name in that place. */
export function isOfAgent({ means, agent }: Pick<Run, 'means' | 'agent'>): boolean {
  return means === 'mcp' || means === 'agent' || (agent !== null && means !== 'import');
}

/** The runs, page by page. */
export function useRuns(by: By, actor: string | undefined) {
  return usePages([...keys.changeSets, by, actor], async (at) => {
    const page = await kith.changeSets.list({ limit: pageSize, ...at, ...(actor !== undefined && { actor }) });
    return { ...page, data: page.data.filter((run) => isOfAgent(run) === (by === 'agents')) };
  });
}

/** One run, however old. */
export function useRun(id: string) {
  return useQuery({
    queryKey: [...keys.changeSets, id],
    queryFn: async () => (await kith.changeSets.get(id)).change_set,
  });
}

/** What an undo would do, without doing it. */
export function useUndoTrial(id: string) {
  return useQuery({
    queryKey: [...keys.changeSets, id, 'trial'],
    queryFn: () => kith.changeSets.undo({ change_set: id }, { dryRun: true }),
  });
}

export type Write = ChangeSetsWritesItem;

/** What the run wrote, page by page, in its order. */
export function useWrites(id: string) {
  return usePages([...keys.changeSets, id, 'writes'], (at, { signal }) =>
    kith.changeSets.writes(id, { limit: 50, ...at }, { signal }),
  );
}
