/** What is compiled for a role's visibility of an object is good as long as both live, unless it looked at the time. */
import type { ObjectDef } from '../model/model.ts';
import type { QueryContext, Visibility } from './context.ts';

/** Memories by name, one for each visibility and object; they end with either. */
export function timelessMemory<T>(): (visibility: Visibility, object: ObjectDef) => Map<string, T> {
  const memories = new WeakMap<ObjectDef, WeakMap<Visibility, Map<string, T>>>();
  return (visibility, object) => {
    let ofObject = memories.get(object);
    if (!ofObject) memories.set(object, (ofObject = new WeakMap()));
    let known = ofObject.get(visibility);
    if (!known) ofObject.set(visibility, (known = new Map()));
    return known;
  };
}

/** A rule that looks at the time makes SQL for this moment only: `looked` says whether something did. */
export function watchTime(context: QueryContext): { watched: QueryContext; looked: () => boolean } {
  let looked = false;
  const { model, visibility } = context;
  const watched: QueryContext = {
    model,
    visibility,
    get now() {
      looked = true;
      return context.now;
    },
    get timeZone() {
      looked = true;
      return context.timeZone;
    },
  };
  return { watched, looked: () => looked };
}
