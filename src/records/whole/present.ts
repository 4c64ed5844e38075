/** Drops references of lines to missing records, so that the record itself is not lost. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { lockAlive } from '../writing/references.ts';
import { targetsOf } from './fields.ts';

/** A value of a field that leads to records. */
export interface Reference {
  readonly field: FieldDef;
  readonly value: Json;
}

/** The ids of existing records by object, locked until the end of the transaction. */
export type Present = ReadonlyMap<string, ReadonlySet<string>>;

/** The existing records among those that the values lead to. */
export async function presentAmong(
  call: Call,
  tx: WorkspaceTransaction,
  references: readonly Reference[],
): Promise<Present> {
  const wanted = new Map<string, Set<string>>();
  for (const { field, value } of references) {
    for (const [object, id] of leadsTo(field, value)) {
      const ids = wanted.get(object) ?? new Set<string>();
      wanted.set(object, ids.add(id));
    }
  }
  const present = new Map<string, ReadonlySet<string>>();
  for (const object of [...wanted.keys()].toSorted()) {
    const ids = [...(wanted.get(object) ?? [])].filter(isUuid);
    const { rows } = await tx.run(lockAlive(call, object, ids));
    present.set(object, new Set(rows.map(([id]) => id ?? '')));
  }
  return present;
}

/** The value without missing references, and their number. */
export function without(reference: Reference, present: Present): { readonly value: Json; readonly lost: number } {
  const { field, value } = reference;
  const isThere = (part: Json) => leadsTo(field, part).every(([object, id]) => present.get(object)?.has(id) === true);
  if (fieldType(field.type).links && Array.isArray(value)) {
    const kept = value.filter((link) => isThere([link]));
    return { value: kept, lost: value.length - kept.length };
  }
  return isThere(value) ? { value, lost: 0 } : { value: null, lost: 1 };
}

function leadsTo(field: FieldDef, value: Json): readonly (readonly [object: string, id: string])[] {
  const [only = '', ...others] = targetsOf(field);
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const id = isObject(item) ? item['id'] : item;
    if (typeof id !== 'string') return [];
    const object = others.length > 0 && isObject(item) ? item['object'] : undefined;
    return [[typeof object === 'string' ? object : only, id.toLowerCase()]];
  });
}
