/**
 * What others change appears by itself. One tab of the browser listens for all of them, since browsers open few connections to
 * one service; where the service was away, everything is asked for anew.
 */
import type { EventsStreamEvent } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { feedAtStart } from '../api/load-workspace.ts';
import { lookForService, onBack } from '../api/reach.ts';
import { onSession, tellSession } from '../api/session.ts';

type Told =
  | { readonly kind: 'change'; readonly change: EventsStreamEvent; readonly position: string | undefined }
  | { readonly kind: 'notification' }
  | { readonly kind: 'session'; readonly isOpen: boolean };

/** Changes that come at once are asked for once. */
const gatherMs = 250;
const retryMs = 2_000;
/** Of changes that were missed, so many are taken at once; the stream begins with those behind them. */
const mostMissed = 1_000;
const channelName = 'kith-live';

const listeners = new Set<(change: EventsStreamEvent) => void>();
let stale = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Up to where changes are known: whichever tab listens next goes on from there. */
let heard: string | undefined;

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
  signal.addEventListener(
    'abort',
    onBack(() => void queries.invalidateQueries()),
  );
  // The tab that listens learns first that its person has signed out elsewhere.
  signal.addEventListener(
    'abort',
    onSession((isOpen) => channel.postMessage({ kind: 'session', isOpen } satisfies Told)),
  );
  addEventListener('offline', () => void lookForService(), { signal });
  const tell = (told: Told) => {
    take(told);
    if (!signal.aborted) channel.postMessage(told);
  };
  const caughtUp = catchUp(signal);
  const listen = async () => {
    await caughtUp;
    await Promise.all([followChanges(tell, signal), followNotifications(tell, signal)]);
  };
  // Where there are no locks, each tab listens for itself.
  const work = 'locks' in navigator ? navigator.locks.request(name, { signal }, listen) : listen();
  work.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Takes what was changed since the page began to load: until now nobody here listened. */
async function catchUp(signal: AbortSignal): Promise<void> {
  const after = heard ?? (await feedAtStart());
  if (after === undefined) return;
  const missed = await kith.events.list({ after, limit: mostMissed }, { signal }).catch(() => undefined);
  if (!missed) return;
  for (const change of missed.events) take({ kind: 'change', change, position: missed.position });
  heard ??= missed.position;
}

async function followChanges(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  await again(signal, async () => {
    for await (const { id, data } of kith.events.stream({}, { signal, lastEventId: heard })) {
      tell({ kind: 'change', change: data, position: id });
    }
  });
}

async function followNotifications(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  await again(signal, async () => {
    for await (const _ of kith.notifications.stream({ signal })) tell({ kind: 'notification' });
  });
}

/** Does `work` again and again; after a failure, once the service is there. */
async function again(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch {
      if (signal.aborted) return;
      await lookForService();
      await pause(retryMs, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => (clearTimeout(end), resolve()), { once: true });
  return promise;
}

function take(told: Told): void {
  if (told.kind === 'session') return tellSession(told.isOpen);
  if (told.kind === 'notification') return void queries.invalidateQueries({ queryKey: keys.notifications });
  heard = told.position ?? heard;
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
