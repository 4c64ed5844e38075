/** Which rows of an import are records already, and what becomes of these: changed, or left as they are. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import { errors, KithError, Mistakes } from '../../../errors.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import type { ObjectDef } from '../../../model/model.ts';
import type { Change } from '../../writing/change.ts';
import { changeLocked, lockForChange } from '../../writing/change-rows.ts';
import type { Decoded, Writing } from '../../writing/decode.ts';
import { comparedKeys, holdKeys, matchesOf } from '../../writing/match.ts';
import { settlePosition } from '../../writing/pipeline-position.ts';
import type { Handling } from '../handling.ts';
import { failureOf, statementsOf, type DecodedRow, type ImportedRow } from '../rows.ts';
import type { RowFailure } from '../row-failure.ts';
import { withStoredValues } from './stored-sets.ts';

interface Place {
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
  /** Rows that are told by what another row here is told by: they are looked at when that one is in. */
  readonly later: readonly DecodedRow[];
}

interface Keyed {
  readonly row: DecodedRow;
  /** By the field that they are of. */
  readonly keys: ReadonlyMap<FieldDef, readonly string[]>;
}

/** Settles what becomes of each row; those to create are all of them where nothing is matched by. */
export async function settleMatches(
  place: Place,
  handling: Handling,
  rows: readonly DecodedRow[],
): Promise<SettledRows> {
  const none: SettledRows = { toCreate: rows, updated: [], skipped: [], failures: [], later: [] };
  if (handling.matchFields.length === 0 || handling.strategy === 'create') return none;
  const { now, later } = firstOfEach(rows.map((row) => keyed(row, handling.matchFields)));
  const matches = await matchAll(place, handling.matchFields, now);
  const failures: RowFailure[] = [];
  const toCreate: DecodedRow[] = [];
  const found: { readonly row: DecodedRow; readonly id: string; readonly by: readonly FieldDef[] }[] = [];
  const taken = new Set<string>();
  const again: DecodedRow[] = [];
  for (const { row, keys } of now) {
    const ids = new Map<string, FieldDef[]>();
    for (const [field, own] of keys)
      for (const key of own)
        for (const id of matches.get(field)?.get(key) ?? []) ids.set(id, [...(ids.get(id) ?? []), field]);
    const [first] = ids;
    if (!first) toCreate.push(row);
    else if (ids.size > 1) failures.push(failureOf(row.index, severalMatch(place.object, [...ids.keys()])));
    else if (taken.has(first[0])) again.push(row);
    else {
      taken.add(first[0]);
      found.push({ row, id: first[0], by: first[1] });
    }
  }
  const skipped = handling.strategy === 'skip' ? found.map(({ row, id }) => ({ index: row.index, id })) : [];
  const updated = handling.strategy === 'update' ? await change(place, found, failures) : [];
  return { toCreate, updated, skipped, failures, later: [...again, ...later] };
}

function keyed(row: DecodedRow, fields: readonly FieldDef[]): Keyed {
  return { row, keys: new Map(fields.map((field) => [field, comparedKeys(field, row.decoded)])) };
}

/** Of rows with one key the first: what it makes is there for the others. */
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

async function matchAll({ call, tx, object }: Place, fields: readonly FieldDef[], rows: readonly Keyed[]) {
  const matches = new Map<FieldDef, ReadonlyMap<string, ReadonlySet<string>>>();
  for (const field of fields) {
    const keys = [...new Set(rows.flatMap((row) => row.keys.get(field) ?? []))];
    if (keys.length > 0) await holdKeys(call, tx, field, keys);
    matches.set(field, await matchesOf(call, tx, object, field, keys));
  }
  return matches;
}

async function change(
  { call, tx, object, writing }: Place,
  found: readonly { readonly row: DecodedRow; readonly id: string; readonly by: readonly FieldDef[] }[],
  failures: RowFailure[],
): Promise<readonly ImportedRow[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const refused = await lockForChange(call, tx, object, ids);
  const changes: (Change & { readonly index: number })[] = [];
  const same: ImportedRow[] = [];
  for (const { row, id, by } of found) {
    const error = refused.get(id) ?? row.mistakes.error();
    const decoded = error ? undefined : changeOf(writing, by, row.decoded);
    if (error ?? decoded instanceof KithError) failures.push(failureOf(row.index, error ?? (decoded as KithError)));
    else if (decoded && !(decoded instanceof KithError)) {
      const isNothing = decoded.cells.size + decoded.links.size === 0;
      if (isNothing) same.push({ index: row.index, id });
      else changes.push({ ...decoded, id, index: row.index });
    }
  }
  const updated = [...same];
  for (const group of await statementsOf(object, await withStoredValues(call, tx, object, changes))) {
    call.signal.throwIfAborted();
    const refusals = await changeLocked(call, tx, object, group);
    for (const { id, index } of group) {
      const error = refusals.get(id);
      if (error) failures.push(failureOf(index, error));
      else updated.push({ index, id });
    }
  }
  return updated;
}

/** The values that are changed: those by which the record was found are there. */
function changeOf({ object, context }: Writing, by: readonly FieldDef[], decoded: Decoded): Decoded | KithError {
  const cells = new Map(decoded.cells);
  for (const field of by) if (field.type !== 'EMAILS' && field.type !== 'PHONES') cells.delete(field);
  const changed = { ...decoded, cells, links: new Map(decoded.links), byStep: new Set(decoded.byStep) };
  const mistakes = new Mistakes();
  settlePosition(object, context.pipelines, changed, mistakes);
  return mistakes.error() ?? changed;
}

const mostNamed = 5;

function severalMatch({ name }: ObjectDef, ids: readonly string[]): KithError {
  const named = ids.toSorted().slice(0, mostNamed).join(', ');
  return errors.conflict(`${ids.length} records of ${name} match: ${named}${ids.length > mostNamed ? ', …' : ''}`);
}
