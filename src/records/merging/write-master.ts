/** The master's own change, through the kernel of all writes. */
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
  /** Of links that are written already. */
  readonly links: LinkChanges;
}

function isNothing({ cells, links }: MasterChange): boolean {
  return cells.size + Object.keys(links).length === 0;
}

/** Takes the values of sets that are unique: before any row is written, since others wait for those. */
export async function takeSets(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { id, cells }: MasterChange,
): Promise<void> {
  await replaceValues(call, tx, object, [{ id, cells: new Map(cells) }]);
}

/**
 * Writes the master, which is locked. What it is given back (`isGivenBack`) it had before, and is not judged again. Throws what the
 * change is refused for.
 */
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
