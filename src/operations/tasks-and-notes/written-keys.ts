/** The keys that writes to tasks and notes take. A key whose field the role hides is treated as unknown. [contract: Permissions] */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';

/** The field that each key of a write sets; null for a key that every role may use. */
export type WrittenKeys = Readonly<Record<string, string | null>>;

/** The keys that the caller's role may know. */
export function keysFor({ visibility }: Call, object: ObjectDef, keys: WrittenKeys): readonly string[] {
  return Object.entries(keys).flatMap(([key, field]) =>
    field === null || visibility.shows(object.name, field) ? [key] : [],
  );
}
