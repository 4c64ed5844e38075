import { useRouter } from '@tanstack/react-router';
import { useEffect, type PointerEvent } from 'react';
import { queries } from '../api/queries.ts';
import { fetchWhenIdle } from '../app/later.ts';
import { recordQuery } from '../record/record-query.ts';

/** A reader who stays on a row for so long may open it. */
const restMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Prefetches the record of the row under the cursor or pointer; returns a handler for the pointer. */
export function useAhead(object: string, currentId: string | undefined): (event: PointerEvent) => void {
  useEffect(() => {
    ahead(object, currentId);
    return () => clearTimeout(timer);
  }, [object, currentId]);
  const router = useRouter();
  // By the router, which then opens the page at once: even a loaded module is imported only after the next frame.
  useEffect(() => fetchWhenIdle(async () => router.loadRouteChunk(router.routesByPath['/r/$object/$id'])), [router]);
  return ({ target }) => {
    if (target instanceof Element) ahead(object, target.closest<HTMLElement>('[data-id]')?.dataset['id']);
  };
}

function ahead(object: string, id: string | undefined): void {
  clearTimeout(timer);
  if (id !== undefined) timer = setTimeout(() => void queries.prefetchQuery(recordQuery(object, id)), restMs);
}
