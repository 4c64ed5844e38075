/**
 * What others change appears by itself. One tab of the browser listens for all of them, since browsers open few connections to
 * one service; where the service is away, it is asked again until it is back, and then everything is asked for anew.
 */
import { useSyncExternalStore } from 'react';
import type { EventsStreamEvent } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';

type Told = { readonly kind: 'change'; readonly change: EventsStreamEvent } | { readonly kind: 'notification' };

/** Changes that come at once are asked for once. */
const gatherMs = 250;
const retryMs = 2_000;
const channelName = 'kith-live';

let isOnline = true;
const watchers = new Set<() => void>();
const listeners = new Set<(change: EventsStreamEvent) => void>();
let stale = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the service answers. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isOnline,
  );
}

/** Calls `listener` for each change of a record; gives what ends it. */
export function onChange(listener: (change: EventsStreamEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Listens until the signal is aborted, in the name of this user: tabs of others on this machine have their own. */
export function follow(userId: string, signal: AbortSignal): void {
  const name = `${channelName}-${userId}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => take(data));
  signal.addEventListener('abort', () => channel.close());
  const tell = (told: Told) => {
    take(told);
    if (!signal.aborted) channel.postMessage(told);
  };
  const listen = () => Promise.all([followChanges(tell, signal), followNotifications(tell, signal)]);
  // Where there are no locks, each tab listens for itself.
  const work = 'locks' in navigator ? navigator.locks.request(name, { signal }, listen) : listen();
  work.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

async function followChanges(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined;
  await again(signal, async () => {
    for await (const { id, data } of kith.events.stream({}, { signal, lastEventId })) {
      lastEventId = id;
      setOnline(true);
      tell({ kind: 'change', change: data });
    }
  });
}

async function followNotifications(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  await again(signal, async () => {
    for await (const _ of kith.notifications.stream({ signal })) tell({ kind: 'notification' });
  });
}

/** Does `work` again and again; between two failures it asks whether the service is there. */
async function again(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch {
      if (signal.aborted) return;
      await back(signal);
    }
  }
}

async function back(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isThere = await fetch('/health/ready', { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) {
      if (!isOnline) void queries.invalidateQueries();
      setOnline(true);
      await pause(retryMs, signal);
      return;
    }
    if (!signal.aborted) setOnline(false);
    await pause(retryMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => (clearTimeout(end), resolve()), { once: true });
  return promise;
}

function take(told: Told): void {
  if (told.kind === 'notification') return void queries.invalidateQueries({ queryKey: keys.notifications });
  for (const listener of listeners) listener(told.change);
  const { type, object_name: object } = told.change;
  stale.add(type === 'reset' || object === null ? '*' : object);
  timer ??= setTimeout(refresh, gatherMs);
}

/** Makes stale what shows the objects that changed. */
function refresh(): void {
  const changed = stale;
  stale = new Set();
  timer = undefined;
  if (changed.has('*')) return void queries.invalidateQueries();
  for (const object of changed) void queries.invalidateQueries({ queryKey: keys.object(object) });
  if (changed.has('tasks')) void queries.invalidateQueries({ queryKey: keys.tasks });
  if (changed.has('notes')) void queries.invalidateQueries({ queryKey: keys.notes });
  void queries.invalidateQueries({ queryKey: keys.counts });
  void queries.invalidateQueries({ queryKey: keys.changeSets });
}

function setOnline(is: boolean): void {
  if (is === isOnline) return;
  isOnline = is;
  for (const watcher of watchers) watcher();
}
