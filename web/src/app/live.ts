/**
 * Changes by others appear without a reload. One tab of the browser listens for all, since browsers open few connections to one
 * host; after an interruption everything is fetched again.
 */
import type { EventsStreamEvent } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { feedAtStart } from '../api/load-workspace.ts';
import { lookForService, onBack } from '../api/reach.ts';
import { onSession, noteSession } from '../api/session.ts';

type Message =
  | { readonly kind: 'change'; readonly change: EventsStreamEvent; readonly position: string | undefined }
  | { readonly kind: 'notification' }
  | { readonly kind: 'session'; readonly isOpen: boolean };

/** Changes within this time cause one refresh. */
const gatherMs = 250;
const retryMs = 2_000;
/** Most missed changes read at once; the stream continues after them. */
const mostMissed = 1_000;
const channelName = 'kith-live';

const listeners = new Set<(change: EventsStreamEvent) => void>();
let stale = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The position up to which changes are known, where the next listening tab continues. */
let heard: string | undefined;

/** Calls `listener` for each change of a record; returns a function that unsubscribes. */
export function onChange(listener: (change: EventsStreamEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Listens until the signal is aborted. The lock is per user: tabs of other users of this browser have their own. */
export function follow(userId: string, signal: AbortSignal): void {
  const name = `${channelName}-${userId}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data));
  signal.addEventListener('abort', () => channel.close());
  signal.addEventListener(
    'abort',
    onBack(() => void queries.invalidateQueries()),
  );
  // The listening tab is the first to learn that its user has signed out elsewhere.
  signal.addEventListener(
    'abort',
    onSession((isOpen) => channel.postMessage({ kind: 'session', isOpen } satisfies Message)),
  );
  addEventListener('offline', () => void lookForService(), { signal });
  const publish = (message: Message) => {
    take(message);
    if (!signal.aborted) channel.postMessage(message);
  };
  const caughtUp = catchUp(signal);
  const listen = async () => {
    await caughtUp;
    await Promise.all([followChanges(publish, signal), followNotifications(publish, signal)]);
  };
  // Without the Web Locks API, each tab listens for itself.
  const work = 'locks' in navigator ? navigator.locks.request(name, { signal }, listen) : listen();
  work.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Reads the changes since the page began to load, when nobody listened yet. */
async function catchUp(signal: AbortSignal): Promise<void> {
  const after = heard ?? (await feedAtStart());
  if (after === undefined) return;
  const missed = await kith.events.list({ after, limit: mostMissed }, { signal }).catch(() => undefined);
  if (!missed) return;
  for (const change of missed.events) take({ kind: 'change', change, position: missed.position });
  heard ??= missed.position;
}

async function followChanges(publish: (message: Message) => void, signal: AbortSignal): Promise<void> {
  await again(signal, async () => {
    for await (const { id, data } of kith.events.stream({}, { signal, lastEventId: heard })) {
      publish({ kind: 'change', change: data, position: id });
    }
  });
}

async function followNotifications(publish: (message: Message) => void, signal: AbortSignal): Promise<void> {
  await again(signal, async () => {
    for await (const _ of kith.notifications.stream({ signal })) publish({ kind: 'notification' });
  });
}

/** Repeats `work`; after a failure, once the service answers. */
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

function take(message: Message): void {
  if (message.kind === 'session') return noteSession(message.isOpen);
  if (message.kind === 'notification') return void queries.invalidateQueries({ queryKey: keys.notifications });
  heard = message.position ?? heard;
  for (const listener of listeners) listener(message.change);
  const { type, object_name: object } = message.change;
  stale.add(type === 'reset' || object === null ? '*' : object);
  timer ??= setTimeout(refresh, gatherMs);
}

/** Makes the queries of changed objects stale. */
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
