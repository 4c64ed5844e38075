/** What a write to a task or a note may name. A key whose field the role hides is answered like one that there is not. [contract: Permissions] */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';

/** By each key of a write the field that it sets; null where it is for every role. */
export type WrittenKeys = Readonly<Record<string, string | null>>;

/** Those keys of a write that the caller's role may know of. */
export function keysFor({ visibility }: Call, object: ObjectDef, keys: WrittenKeys): readonly string[] {
  return Object.entries(keys).flatMap(([key, field]) =>
    field === null || visibility.shows(object.name, field) ? [key] : [],
  );
}
