/**
 * Caches compiled SQL per visibility and object, for as long as both live, unless it used the time. Admins share one
 * visibility: results for one of them alone are cached per user.
 */
import { identityOf } from '../lib/identity.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import type { ObjectDef } from '../model/model.ts';
import { contextWith, type QueryContext } from './context.ts';

export interface TimelessMemory<T> {
  /** What was cached under `name` for the visibility of `context` and `object`. */
  recall(context: QueryContext, object: ObjectDef, name: string): T | undefined;
  /** Caches `made`, which takes about `bytes`; `watch` is the one that observed its compilation. */
  remember(context: QueryContext, object: ObjectDef, name: string, made: T, bytes: number, watch: Watch): void;
}

const maxBytes = 32 * 1024 * 1024;
const maxOwnerBytes = maxBytes / 4;

const forgetting: ((organizationId: string) => void)[] = [];

/** Has `forget` called whenever what was compiled for an organization is dropped. */
export function whenForgotten(forget: (organizationId: string) => void): void {
  forgetting.push(forget);
}

/** Drops what was compiled for the organization, since it holds on to its model. */
export function forgetCompiled(organizationId: string): void {
  for (const forget of forgetting) forget(organizationId);
}

/** Creates a cache; call once per kind. `cache` is its name in `/metrics`. */
export function timelessMemory<T>(cache: string): TimelessMemory<T> {
  const memory = new OwnedLru<string, { readonly made: T; readonly bytes: number }>({
    name: cache,
    maxBytes,
    maxOwnerBytes,
    bytesOf: (key, { bytes }) => 2 * key.length + bytes,
  });
  whenForgotten((organizationId) => memory.forget(organizationId));
  const keyOf = ({ visibility }: QueryContext, object: ObjectDef, name: string) =>
    `${identityOf(visibility)} ${identityOf(object)} ${name}`;
  const ofOne = (key: string, { me }: QueryContext) => `${key} ${me}`;
  return {
    recall(context, object, name) {
      if (context.linkTables) return undefined;
      const { organizationId } = context.model;
      const key = keyOf(context, object, name);
      const shared = memory.get(organizationId, key);
      if (shared) return shared.made;
      const own = memory.get(organizationId, ofOne(key, context));
      if (own) context.markCallerSpecific?.();
      return own?.made;
    },
    remember(context, object, name, made, bytes, { lookedAtTime, isForOne }) {
      // Replaced link tables belong to a single statement.
      if (context.linkTables || lookedAtTime()) return;
      const key = keyOf(context, object, name);
      memory.set(context.model.organizationId, isForOne() ? ofOne(key, context) : key, { made, bytes });
    },
  };
}

export interface Watch {
  /** The context to compile with. */
  readonly watched: QueryContext;
  /** Whether the result depends on the current time. */
  lookedAtTime(): boolean;
  /** Whether the result holds for this caller alone. */
  isForOne(): boolean;
}

/** Observes what a compilation reads. */
export function watch(context: QueryContext): Watch {
  let [time, one] = [false, false];
  const look = <T>(value: T): T => {
    time = true;
    return value;
  };
  const watched = contextWith(context, {
    now: () => look(context.now),
    timeZone: () => look(context.timeZone),
    markCallerSpecific() {
      one = true;
      context.markCallerSpecific?.();
    },
  });
  return { watched, lookedAtTime: () => time, isForOne: () => one };
}
