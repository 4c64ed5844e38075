/** Changes by others in a list: changed rows are fetched again, new ones are counted, deleted ones removed. */
import { useEffect, useState } from 'react';
import type { EventsStreamEvent } from '../../../client/index.js';
import { queries } from '../api/queries.ts';
import { onChange } from '../app/live.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { isEmpty, matching, patch, without, type Listed } from './rows-cache.ts';

/** Changes within this time cause one fetch. */
const gatherMs = 200;
/** How long a row is marked as changed by somebody else. */
const freshMs = 1_500;

const none: ReadonlySet<string> = new Set();
const nothingMade: ReadonlyMap<string, number> = new Map();

interface Changes {
  /** New matching records, and when they were created, in milliseconds. */
  readonly made: ReadonlyMap<string, number>;
  /** The ids of records that somebody else has just changed. */
  readonly fresh: ReadonlySet<string>;
}

/** The changes since the list was fetched. */
export function useChanges(listed: Listed): Changes {
  const { userId } = useWorkspace();
  const [made, setMade] = useState(nothingMade);
  const [fresh, setFresh] = useState(none);
  const [madeFor, setMadeFor] = useState(listed);
  if (madeFor !== listed) {
    setMadeFor(listed);
    setMade(nothingMade);
  }
  useEffect(() => {
    let isOver = false;
    let faded: ReturnType<typeof setTimeout> | undefined;
    const refresh = async ({ changed, ofOthers, created }: Gathered) => {
      if (created.size > 0) {
        const at = Date.now();
        const ids = await matching(listed, [...created]);
        if (isOver) return;
        // In an empty list nothing can jump, so new records are shown at once.
        if (ids.length > 0 && isEmpty(listed.key)) void queries.invalidateQueries({ queryKey: listed.key });
        setMade((was) => new Map([...was, ...ids.map((id) => [id, at] as const)]));
      }
      await patch(listed, changed);
      if (isOver || ofOthers.size === 0) return;
      setFresh(ofOthers);
      clearTimeout(faded);
      faded = setTimeout(() => setFresh(none), freshMs);
    };
    const gathering = gather((gathered) => void refresh(gathered), userId);
    const end = onChange((change) => {
      const { type, object_name: name, record_id: id } = change;
      if (type === 'reset') void queries.invalidateQueries({ queryKey: listed.key });
      else if (name !== listed.object || id === undefined) return;
      else if (type === 'record.deleted' || type === 'record.removed') without(listed.key, id);
      else gathering.add(change, id);
    });
    return () => {
      isOver = true;
      clearTimeout(faded);
      gathering.stop();
      end();
    };
  }, [listed, userId]);
  return { made, fresh };
}

interface Gathered {
  readonly changed: ReadonlySet<string>;
  readonly ofOthers: ReadonlySet<string>;
  readonly created: ReadonlySet<string>;
}

/** Collects changes and hands them over together. */
function gather(take: (gathered: Gathered) => void, userId: string) {
  const nothing = () => ({ changed: new Set<string>(), ofOthers: new Set<string>(), created: new Set<string>() });
  let gathered = nothing();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add({ type, actor }: EventsStreamEvent, id: string) {
      if (type === 'record.updated') gathered.changed.add(id);
      else gathered.created.add(id);
      if (type === 'record.updated' && actor?.id !== userId) gathered.ofOthers.add(id);
      timer ??= setTimeout(() => {
        timer = undefined;
        take(gathered);
        gathered = nothing();
      }, gatherMs);
    },
    stop: () => clearTimeout(timer),
  };
}
