/** Writes the master's own change through the record engine. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { alteration } from '../writing/alteration.ts';
import type { LinkChanges } from '../writing/leave.ts';
import { throwRefusal } from '../writing/row-write.ts';
import { replaceValues } from '../writing/unique-values.ts';
import { writeRows } from '../writing/write-rows.ts';

export interface MasterChange {
  readonly id: string;
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
  /** Links already written. */
  readonly links: LinkChanges;
}

function isNothing({ cells, links }: MasterChange): boolean {
  return cells.size + Object.keys(links).length === 0;
}

/** Inserts values of unique sets before any row is written, since those rows are contended. */
export async function takeSets(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { id, cells }: MasterChange,
): Promise<void> {
  await replaceValues(call, tx, object, [{ id, cells: new Map(cells) }]);
}

/** Writes the locked master. Restored values (`isGivenBack`) are not checked again. Throws the refusal. */
export async function writeMaster(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  change: MasterChange,
  isGivenBack = false,
): Promise<void> {
  if (isNothing(change)) return;
  const links = Object.keys(change.links).length > 0 ? JSON.stringify(change.links) : null;
  const row = { id: change.id, cells: change.cells, byStep: new Set<FieldDef>(), links };
  const write = await alteration(call, object, [row], true);
  throwRefusal(await writeRows(call, tx, isGivenBack ? { ...write, checks: [] } : write));
}
