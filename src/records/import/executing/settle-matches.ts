/** Matches the rows of an import to existing records, and changes or skips those. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import { errors, Mistakes, type KithError } from '../../../errors.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import type { ObjectDef } from '../../../model/model.ts';
import type { Change } from '../../writing/change.ts';
import { changeLocked } from '../../writing/change-rows.ts';
import type { Decoded, Writing } from '../../writing/decode.ts';
import { changedMeanwhile, holdMatches, lockMatches, type WantedKeys } from '../../writing/lock-matches.ts';
import { comparedKeys, matchesOf } from '../../writing/match.ts';
import { settlePosition } from '../../writing/pipeline-position.ts';
import { refuseHugeTexts } from '../../writing/record-size.ts';
import type { Refusals } from '../../writing/row-write.ts';
import type { Handling } from '../handling.ts';
import { attempt, failureOf, writeInGroups, type DecodedRow, type ImportedRow } from '../rows.ts';
import type { RowFailure } from '../row-failure.ts';
import type { FieldsToCome } from './fields-to-come.ts';
import { withStoredValues } from './stored-sets.ts';

interface RowScope {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  readonly object: ObjectDef;
  readonly writing: Writing;
}

export interface SettledRows {
  readonly toCreate: readonly DecodedRow[];
  readonly updated: readonly ImportedRow[];
  readonly skipped: readonly ImportedRow[];
  readonly failures: readonly RowFailure[];
  /** Rows to create whose records exist already, according to the match fields. */
  readonly doubled: number;
  /** Rows with the same key as an earlier row: they are matched once that row is written. */
  readonly later: readonly DecodedRow[];
}

interface Keyed {
  readonly row: DecodedRow;
  /** By field. */
  readonly keys: ReadonlyMap<FieldDef, readonly string[]>;
}

/** Decides about each row; without match fields, all rows create records. */
export async function settleMatches(
  scope: RowScope,
  handling: Handling,
  rows: readonly DecodedRow[],
): Promise<SettledRows> {
  const none: SettledRows = { toCreate: rows, updated: [], skipped: [], failures: [], doubled: 0, later: [] };
  if (handling.matchFields.length === 0) return none;
  const { call, tx, object } = scope;
  const { now, later } = firstOfEach(rows.map((row) => keyed(row, handling.matchFields)));
  const { toCome } = handling;
  const stored = toCome ? handling.matchFields.filter((field) => !toCome.has(field)) : handling.matchFields;
  if (handling.strategy === 'create')
    return { ...none, doubled: later.length + (await countKnown(scope, toCome, stored, now)) };
  const keys = keysToFind(stored, now);
  const changes = handling.strategy === 'update' ? await lockMatches(call, tx, object, keys) : undefined;
  const matches = changes?.matches ?? (await holdMatches(call, tx, object, keys));
  const failures: RowFailure[] = [];
  const toCreate: DecodedRow[] = [];
  const found: { readonly row: DecodedRow; readonly id: string; readonly by: readonly FieldDef[] }[] = [];
  const taken = new Set<string>();
  const again: DecodedRow[] = [];
  for (const { row, keys } of now) {
    const ids = new Map<string, FieldDef[]>();
    for (const [field, own] of keys)
      for (const key of own)
        for (const id of matches.get(field)?.get(key) ?? toCome?.withKey(field, key) ?? [])
          ids.set(id, [...(ids.get(id) ?? []), field]);
    const [first] = ids;
    if (!first) toCreate.push(row);
    else if (ids.size > 1) failures.push(failureOf(row.index, severalMatch(object, [...ids.keys()])));
    else if (changes && !changes.locked.has(first[0]) && !toCome?.isOwn(first[0]))
      failures.push(failureOf(row.index, changedMeanwhile(first[1])));
    else if (taken.has(first[0])) again.push(row);
    else {
      taken.add(first[0]);
      found.push({ row, id: first[0], by: first[1] });
    }
  }
  const skipped = handling.strategy === 'skip' ? found.map(({ row, id }) => ({ index: row.index, id })) : [];
  const updated = changes ? await change(scope, found, changes.refusals, failures, toCome) : [];
  return { toCreate, updated, skipped, failures, doubled: 0, later: [...again, ...later] };
}

/** The number of rows that match existing records. */
async function countKnown(
  { call, tx, object }: RowScope,
  toCome: FieldsToCome | undefined,
  stored: readonly FieldDef[],
  rows: readonly Keyed[],
): Promise<number> {
  const known = new Map<FieldDef, ReadonlyMap<string, unknown>>();
  for (const [field, keys] of keysToFind(stored, rows))
    known.set(field, await matchesOf(call, tx, object, field, keys));
  const isKnown = (field: FieldDef, key: string) =>
    known.get(field)?.has(key) === true || (toCome?.withKey(field, key).size ?? 0) > 0;
  return rows.filter(({ keys }) => [...keys].some(([field, own]) => own.some((key) => isKnown(field, key)))).length;
}

function keyed(row: DecodedRow, fields: readonly FieldDef[]): Keyed {
  return { row, keys: new Map(fields.map((field) => [field, comparedKeys(field, row.decoded)])) };
}

/** Separates the first row of each key, whose record the others will match. */
function firstOfEach(rows: readonly Keyed[]): {
  readonly now: readonly Keyed[];
  readonly later: readonly DecodedRow[];
} {
  const seen = new Set<string>();
  const now: Keyed[] = [];
  const later: DecodedRow[] = [];
  for (const one of rows) {
    const keys = [...one.keys].flatMap(([field, own]) => own.map((key) => `${field.id} ${key}`));
    if (keys.some((key) => seen.has(key))) later.push(one.row);
    else now.push(one);
    for (const key of keys) seen.add(key);
  }
  return { now, later };
}

function keysToFind(fields: readonly FieldDef[], rows: readonly Keyed[]): WantedKeys {
  return new Map(fields.map((field) => [field, [...new Set(rows.flatMap((row) => row.keys.get(field) ?? []))]]));
}

async function change(
  { call, tx, object, writing }: RowScope,
  found: readonly { readonly row: DecodedRow; readonly id: string; readonly by: readonly FieldDef[] }[],
  refusals: Refusals,
  failures: RowFailure[],
  toCome: FieldsToCome | undefined,
): Promise<readonly ImportedRow[]> {
  if (found.length === 0) return [];
  const changes: (Change & { readonly index: number })[] = [];
  const same: ImportedRow[] = [];
  for (const { row, id, by } of found) {
    const { index } = row;
    await attempt(index, failures, async () => {
      const refusal = refusals.get(id) ?? row.mistakes.error();
      if (refusal) throw refusal;
      const decoded = await changeOf(writing, by, row.decoded);
      if (decoded.cells.size + decoded.links.size === 0) same.push({ index, id });
      else changes.push({ ...decoded, id, index });
    });
  }
  const all = await withStoredValues(call, tx, object, changes);
  const send = (group: readonly Change[]) => changeLocked(call, tx, object, group);
  const { written, refused } = await writeInGroups(call, object, all, (group) =>
    toCome ? toCome.write({ call, tx, object }, group, false, send) : send(group),
  );
  for (const { index, error } of refused) failures.push(failureOf(index, error));
  return [...same, ...written];
}

/** The values to change, without those that the record was found by. Throws VALIDATION_ERROR. */
async function changeOf({ object, context }: Writing, by: readonly FieldDef[], decoded: Decoded): Promise<Decoded> {
  const cells = new Map(decoded.cells);
  for (const field of by) if (field.type !== 'EMAILS' && field.type !== 'PHONES') cells.delete(field);
  const changed = { ...decoded, cells, links: new Map(decoded.links), byStep: new Set(decoded.byStep) };
  const mistakes = new Mistakes();
  settlePosition(object, context.pipelines, changed, mistakes);
  mistakes.refuse();
  await refuseHugeTexts(object, changed);
  return changed;
}

const mostNamed = 5;

function severalMatch({ name }: ObjectDef, ids: readonly string[]): KithError {
  const named = ids.toSorted().slice(0, mostNamed).join(', ');
  return errors.conflict(`${ids.length} records of ${name} match: ${named}${ids.length > mostNamed ? ', …' : ''}`);
}
