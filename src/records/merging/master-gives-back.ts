/** Computes the master's values after a duplicate has left: received values are removed, unless edited since. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { Cell } from '../../postgres/database.ts';
import { cellOfItems, itemsOf, setFields } from './contact-sets.ts';
import type { LaterEdits } from './later-edits.ts';
import { fillable } from './master-values.ts';
import { heldBy } from './moved.ts';
import type { StoredRow } from './stored-rows.ts';
import type { GivingBack } from './giving-back.ts';

export interface GivenBack {
  /** The master's new cells. */
  readonly cells: Map<FieldDef, readonly Cell[]>;
  /** Values passed on to later duplicates: what they will restore when they leave. */
  readonly passedOn: readonly { readonly id: string; readonly fieldId: string; readonly was: readonly Cell[] }[];
}

/** Computes the change of the master, whose current row is `master`. */
export function masterGivesBack(giving: GivingBack, master: StoredRow, edits: LaterEdits): GivenBack {
  const cells = new Map<FieldDef, readonly Cell[]>();
  const passedOn: GivenBack['passedOn'][number][] = [];
  for (const field of fillable(giving.object)) {
    const filled = giving.moved.filled[field.id];
    if (!filled) continue;
    const next = isSame(master.cells.get(field) ?? [], filled.is) ? undefined : nextIn(giving, field, filled.is);
    if (edits.field(master.id, field.id)) doubt(giving, field, 'it was given by the merge and edited since');
    else if (next !== undefined) passedOn.push({ id: next, fieldId: field.id, was: filled.was });
    else cells.set(field, filled.was);
  }
  for (const field of setFields(giving.object)) {
    const left = withoutValues(giving, field, master, edits);
    if (left) cells.set(field, left);
  }
  return { cells, passedOn };
}

/** The next merged duplicate that found in the field the value given by this one. */
function nextIn({ siblings, historyId }: GivingBack, { id }: FieldDef, is: readonly Cell[]): string | undefined {
  const later = [...siblings.values()].filter((merge) => BigInt(merge.historyId) > BigInt(historyId));
  return later.find(({ moved }) => isSame(moved?.filled[id]?.was ?? [], is))?.id;
}

function isSame(one: readonly Cell[], other: readonly Cell[]): boolean {
  return one.length === other.length && one.every((cell, at) => cell === other[at]);
}

/** The set without values that came from the duplicate alone. */
function withoutValues(
  giving: GivingBack,
  field: FieldDef,
  master: StoredRow,
  edits: LaterEdits,
): readonly Cell[] | undefined {
  const held = heldBy(giving.siblings.values(), 'values', field.id);
  const theirs = new Set((giving.moved.values[field.id] ?? []).filter((key) => !held.has(key)));
  const items = itemsOf(field, master.cells.get(field));
  const left = items.filter(({ key }) => !theirs.has(key));
  if (left.length === items.length) return undefined;
  if (edits.field(master.id, field.id)) {
    doubt(giving, field, 'values that the merge has united were edited since');
    return undefined;
  }
  return [cellOfItems(left)];
}

function doubt({ object, masterId, ambiguous }: GivingBack, field: FieldDef, reason: string): void {
  ambiguous.add({ object_name: object.name, record_id: masterId, field: field.name, reason });
}
