/** Runs: change sets of agents, or of people, newest first, and what one of them wrote. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ChangeSetsListItem, RecordsHistoryItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import type { Workspace } from '../api/workspace.ts';

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
  return useInfiniteQuery({
    queryKey: [...keys.changeSets, by, actor],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam }) => {
      const page = await kith.changeSets.list({
        limit: pageSize,
        ...(pageParam !== undefined && { cursor: pageParam }),
        ...(actor !== undefined && { actor }),
      });
      return { runs: page.data.filter((run) => isOfAgent(run) === (by === 'agents')), next: page.nextCursor };
    },
    getNextPageParam: ({ next }) => next,
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

export interface Write {
  readonly object: string;
  readonly id: string;
  readonly name: string;
  readonly action: RecordsHistoryItem['action'];
  readonly changes: RecordsHistoryItem['changes'];
}

/** So many records are shown of a run. */
const mostRecords = 20;

/**
 * What the run wrote, by the histories of records: those that nobody changed since were changed last when it ran, and the others
 * are known by the dry run of its undo.
 */
export function useWrites(run: Run, left: readonly { object: string; id: string }[] | undefined, workspace: Workspace) {
  return useQuery({
    queryKey: [...keys.changeSets, run.id, 'writes'],
    enabled: left !== undefined,
    queryFn: async (): Promise<readonly Write[]> => {
      // Tasks and notes are no records of this kind.
      const objects = [...workspace.objects.values()].filter(
        ({ name, fields }) =>
          name !== 'tasks' && name !== 'notes' && fields.some((field) => field.name === 'updated_at'),
      );
      const lists = await Promise.all(
        objects.map(async ({ name }) => {
          const page = await kith.records.list(name, {
            filter_field: 'updated_at',
            filter_operator: 'greater_equal',
            filter_value: justBefore(run.at),
            sort_by: 'updated_at',
            sort_dir: 'asc',
            limit: mostRecords,
          });
          return page.data.map(({ id }) => ({ object: name, id }));
        }),
      );
      const wanted = new Map([...(left ?? []), ...lists.flat()].map((one) => [`${one.object} ${one.id}`, one]));
      const found = await Promise.all([...wanted.values()].map((one) => writesOf(run.id, one, workspace)));
      return found.flat().slice(0, mostRecords * 5);
    },
  });
}

/** A set begins within the second in which its records are written. */
function justBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1_000).toISOString();
}

async function writesOf(
  changeSet: string,
  { object, id }: { object: string; id: string },
  { reader }: Workspace,
): Promise<readonly Write[]> {
  try {
    const { data } = await kith.records.history(object, id, { limit: 20 });
    const entries = data.filter((entry) => entry.change_set === changeSet);
    if (entries.length === 0) return [];
    const { record } = await kith.records.get(object, id);
    const name = nameOf(record, reader.displayFields[object]);
    return entries.map(({ action, changes }) => ({ object, id, name, action, changes }));
  } catch {
    return []; // gone, or in the trash by now
  }
}
