/** What is compiled for a role's visibility of an object is good as long as both live, unless it looked at the time. */
import { identityOf } from '../lib/identity.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import type { ObjectDef } from '../model/model.ts';
import { contextWith, type QueryContext } from './context.ts';

export interface TimelessMemory<T> {
  /** What was made under `name` for the visibility of `context` and `object`. */
  recall(context: QueryContext, object: ObjectDef, name: string): T | undefined;
  /** `bytes` is about what `made` takes. */
  remember(context: QueryContext, object: ObjectDef, name: string, made: T, bytes: number): void;
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
  return {
    recall: (context, object, name) =>
      context.linkTables ? undefined : memory.get(context.model.organizationId, keyOf(context, object, name))?.made,
    remember(context, object, name, made, bytes) {
      if (context.linkTables) return; // it reads what one statement alone has
      memory.set(context.model.organizationId, keyOf(context, object, name), { made, bytes });
    },
  };
}

/** A rule that looks at the time makes SQL for this moment only: `looked` says whether something did. */
export function watchTime(context: QueryContext): { watched: QueryContext; looked: () => boolean } {
  let looked = false;
  const look = <T>(value: T): T => {
    looked = true;
    return value;
  };
  const watched = contextWith(context, { now: () => look(context.now), timeZone: () => look(context.timeZone) });
  return { watched, looked: () => looked };
}
