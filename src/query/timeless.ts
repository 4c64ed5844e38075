/**
 * What is compiled for a visibility of an object is good as long as both live, unless it looked at the time. Admins share one
 * visibility: what holds for one of them alone is kept under that one.
 */
import { identityOf } from '../lib/identity.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import type { ObjectDef } from '../model/model.ts';
import { contextWith, type QueryContext } from './context.ts';

export interface TimelessMemory<T> {
  /** What was made under `name` for the visibility of `context` and `object`. */
  recall(context: QueryContext, object: ObjectDef, name: string): T | undefined;
  /** `bytes` is about what `made` takes; `watch` is the one under which it was made. */
  remember(context: QueryContext, object: ObjectDef, name: string, made: T, bytes: number, watch: Watch): void;
}

const maxBytes = 32 * 1024 * 1024;
const maxOwnerBytes = maxBytes / 4;

const forgetting: ((organizationId: string) => void)[] = [];

/** Has nothing kept any longer that was compiled for the organization: it holds on to the model that it was compiled for. */
export function forgetCompiled(organizationId: string): void {
  for (const forget of forgetting) forget(organizationId);
}

/** To be called once for each kind of what is compiled; `cache` names it in `/metrics`. */
export function timelessMemory<T>(cache: string): TimelessMemory<T> {
  const memory = new OwnedLru<string, { readonly made: T; readonly bytes: number }>({
    name: cache,
    maxBytes,
    maxOwnerBytes,
    bytesOf: (key, { bytes }) => 2 * key.length + bytes,
  });
  forgetting.push((organizationId) => memory.forget(organizationId));
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
      if (own) context.forMeAlone?.();
      return own?.made;
    },
    remember(context, object, name, made, bytes, { lookedAtTime, isForOne }) {
      // What stands for link tables is in one statement alone.
      if (context.linkTables || lookedAtTime()) return;
      const key = keyOf(context, object, name);
      memory.set(context.model.organizationId, isForOne() ? ofOne(key, context) : key, { made, bytes });
    },
  };
}

export interface Watch {
  /** To compile in. */
  readonly watched: QueryContext;
  /** Whether what was compiled is for this moment only. */
  lookedAtTime(): boolean;
  /** Whether it holds for this caller alone. */
  isForOne(): boolean;
}

/** Notes what is looked at while something is compiled. */
export function watch(context: QueryContext): Watch {
  let [time, one] = [false, false];
  const look = <T>(value: T): T => {
    time = true;
    return value;
  };
  const watched = contextWith(context, {
    now: () => look(context.now),
    timeZone: () => look(context.timeZone),
    forMeAlone() {
      one = true;
      context.forMeAlone?.();
    },
  });
  return { watched, lookedAtTime: () => time, isForOne: () => one };
}
