/** Caches callers, with a bound per process and per organization. */
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Clock } from '../../lib/clock.ts';
import { bytesOfText, Lru } from '../../lib/lru.ts';
import { OwnedLru } from '../../lib/owned-lru.ts';
import type { ModelCache } from '../../model/cache.ts';
import type { LoadedSession } from './load-session.ts';

type Known = Pick<Caller, 'organizationId' | 'tokenId' | 'sessionId'>;

export interface RememberedSessions {
  get(caller: Known): LoadedSession | undefined;
  /** Caches the session for its caller. */
  put(session: LoadedSession): void;
  forget(caller: Known): void;
  /** Forgets the caller and the location of its organization. Used rarely, since it adds load when a database is busy. */
  invalidate(caller: Known): void;
}

interface Parts {
  readonly directory: Directory;
  readonly models: ModelCache;
  readonly clock: Clock;
}

const invalidateEveryMs = 1_000;

/** Makes an empty cache. */
export function rememberSessions({ directory, models, clock }: Parts): RememberedSessions {
  const remembered = new OwnedLru<string, LoadedSession>({
    name: 'sessions',
    maxBytes: 32 * 1024 * 1024,
    maxOwnerBytes: 8 * 1024 * 1024,
    bytesOf: () => 3_000, // besides the ids, the statement that checks the caller
  });
  const invalidated = new Lru<string, number>({ name: 'invalidations', maxBytes: 1024 * 1024, bytesOf: bytesOfText });
  models.onForgotten((organizationId) => remembered.forget(organizationId));
  const forget = (caller: Known): void => {
    const key = keyOf(caller);
    if (key !== undefined) remembered.delete(caller.organizationId, key);
  };
  return {
    forget,
    get(caller) {
      const key = keyOf(caller);
      return key === undefined ? undefined : remembered.get(caller.organizationId, key);
    },
    put(session) {
      const { organizationId } = session.caller;
      const key = keyOf(session.caller);
      // It would keep a model in memory that the model cache no longer accounts for.
      if (key === undefined || models.remembered(organizationId) !== session.model) return;
      remembered.set(organizationId, key, session);
    },
    invalidate(caller) {
      const { organizationId } = caller;
      if (clock.now() - (invalidated.get(organizationId) ?? 0) < invalidateEveryMs) return;
      invalidated.set(organizationId, clock.now());
      directory.forget(organizationId);
      forget(caller);
    },
  };
}

/** The cache key of a caller. Token ids contain no space. */
function keyOf({ tokenId, sessionId }: Known): string | undefined {
  return tokenId ?? (sessionId === undefined ? undefined : `browser ${sessionId}`);
}
