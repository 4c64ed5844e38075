/** The master's values after a duplicate has left: what it was given is taken away again, unless it was edited since. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { Cell } from '../../postgres/database.ts';
import { cellOfItems, itemsOf, setFields } from './contact-sets.ts';
import type { LaterEdits } from './later-edits.ts';
import { fillable } from './master-values.ts';
import { heldBy } from './moved.ts';
import type { StoredRow } from './stored-rows.ts';
import type { GivingBack } from './unmerge.ts';

/** The cells that the master has then. */
export function masterGivesBack(
  giving: GivingBack,
  master: StoredRow,
  edits: LaterEdits,
): Map<FieldDef, readonly Cell[]> {
  const cells = new Map<FieldDef, readonly Cell[]>();
  for (const field of fillable(giving.object)) {
    const filled = giving.moved.filled[field.id];
    if (!filled) continue;
    const now = master.cells.get(field) ?? [];
    const isAsGiven = now.length === filled.is.length && now.every((cell, at) => cell === filled.is[at]);
    if (edits.field(master.id, field.id) || !isAsGiven)
      doubt(giving, field, 'it was given by the merge and edited since');
    else cells.set(field, filled.was);
  }
  for (const field of setFields(giving.object)) {
    const left = withoutValues(giving, field, master, edits);
    if (left) cells.set(field, left);
  }
  return cells;
}

/** The set without the values that only the duplicate has brought. */
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
