/** The connections that `fetch` keeps for its next request. A service that ends waits two seconds for that request. */

const slot = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  readonly constructor: new () => Dispatcher;
  close(): Promise<void>;
}

/** Closes those of this process that are idle; requests on their way are still answered. */
export function closeKeptConnections(): void {
  const place = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  const dispatcher = place[slot];
  if (!dispatcher) return;
  place[slot] = new dispatcher.constructor();
  dispatcher.close().catch(() => {});
}
