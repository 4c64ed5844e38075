/** Finds the records that many rows match by field values instead of ids. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { lockForChange } from './change-rows.ts';
import { holdKeys, matchesOf } from './match.ts';
import type { Refusals } from './row-write.ts';

/** The ids of matching records, by field and key. */
export type Matches = ReadonlyMap<FieldDef, ReadonlyMap<string, ReadonlySet<string>>>;

/** The keys to look for, by field. */
export type WantedKeys = ReadonlyMap<FieldDef, readonly string[]>;

export interface LockedMatches {
  /** Matches under the locks: a record that began to match later is not among the locked ones. */
  readonly matches: Matches;
  readonly locked: ReadonlySet<string>;
  /** Why some locked records may not be changed. */
  readonly refusals: Refusals;
}

/** Holds the keys: until the end of the transaction no other write can match by one of them. */
export async function holdMatches(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  keys: WantedKeys,
): Promise<Matches> {
  // Always in the same order, to avoid deadlocks.
  for (const [field, own] of [...keys].toSorted(([a], [b]) => (a.id < b.id ? -1 : 1)))
    if (own.length > 0) await holdKeys(call, tx, field, own);
  return find(call, tx, object, keys);
}

/** Holds the keys, then locks the matching records and judges them in their current state. */
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

/** CONFLICT for a record that began to match before it could be locked. */
export function changedMeanwhile(fields: readonly FieldDef[]): KithError {
  return errors.conflict(
    `What matches by ${fields.map(({ name }) => name).join(' or ')} was changed meanwhile: try again`,
  );
}
