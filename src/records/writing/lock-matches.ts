/** The records that rows mean which name none by its id, found for many rows at once. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { lockForChange } from './change-rows.ts';
import { holdKeys, matchesOf } from './match.ts';
import type { Refusals } from './row-write.ts';

/** The ids of the records that have a key of a field, by field and key. */
export type Matches = ReadonlyMap<FieldDef, ReadonlyMap<string, ReadonlySet<string>>>;

/** The keys that are looked for, by the field that they are of. */
export type WantedKeys = ReadonlyMap<FieldDef, readonly string[]>;

export interface LockedMatches {
  /** What matches under the locks: a record that did not match before them is not among the locked ones. */
  readonly matches: Matches;
  readonly locked: ReadonlySet<string>;
  /** Why some of the locked ones may not be changed. */
  readonly refusals: Refusals;
}

/** Until the end of the transaction nobody else matches by one of the keys. */
export async function holdMatches(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  keys: WantedKeys,
): Promise<Matches> {
  // In one order for all, whichever way they name the fields.
  for (const [field, own] of [...keys].toSorted(([a], [b]) => (a.id < b.id ? -1 : 1)))
    if (own.length > 0) await holdKeys(call, tx, field, own);
  return find(call, tx, object, keys);
}

/** The same of records that are to be changed: they are locked, and judged as they are then. */
export async function lockMatches(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  keys: WantedKeys,
): Promise<LockedMatches> {
  const before = await holdMatches(call, tx, object, keys);
  const ids = new Set(before.values().flatMap((ofField) => ofField.values().flatMap((found) => [...found])));
  if (ids.size === 0) return { matches: before, locked: ids, refusals: new Map() };
  const refusals = await lockForChange(call, tx, object, [...ids]);
  return { matches: await find(call, tx, object, keys), locked: ids, refusals };
}

async function find(call: Call, tx: WorkspaceTransaction, object: ObjectDef, keys: WantedKeys): Promise<Matches> {
  const matches = new Map<FieldDef, ReadonlyMap<string, ReadonlySet<string>>>();
  for (const [field, own] of keys) matches.set(field, await matchesOf(call, tx, object, field, own));
  return matches;
}

/** Of a record that matches, and did not before it could be locked. */
export function changedMeanwhile(fields: readonly FieldDef[]): KithError {
  return errors.conflict(
    `What matches by ${fields.map(({ name }) => name).join(' or ')} was changed meanwhile: try again`,
  );
}
