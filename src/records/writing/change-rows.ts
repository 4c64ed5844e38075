/** Changes of many records, or one, of which something is more than a column of their row: all in one transaction, under their locks. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { alteration, mayNotChange, type ChangedRow } from './alteration.ts';
import { withSameFields, type Change } from './change.ts';
import { inHalves } from './in-halves.ts';
import { replaceLinks } from './links.ts';
import { lockRecords } from './lock.ts';
import { refuseMoreLinks } from './record-size.ts';
import { throwRefusal, type Refusals } from './row-write.ts';
import { settleSteps, type Witnessed } from './step-changes.ts';
import { fillSwaps, swapsAmong, withoutSwaps } from './unique-swaps.ts';
import { giveUpValues, replaceValues } from './unique-values.ts';
import { insertWitnesses } from './witnesses.ts';
import { writeRows } from './write-rows.ts';

/** Locks the records and judges them as they are. Says which of them may not be changed, or are not there. */
export async function lockForChange(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<Refusals> {
  const was = objectScope(call, object, 'was');
  const may = await lockRecords(call, tx, was, ids, visibleRow(was), call.visibility.updates(object.name));
  const refusals = new Map<string, KithError>();
  for (const id of ids) {
    const allowed = may.get(id);
    if (allowed !== true)
      refusals.set(id, allowed === undefined ? errors.recordNotFound(object.name, id) : mayNotChange(object));
  }
  return refusals;
}

/** Makes all of the changes; the records are locked and judged. Throws what the first of them is refused for, and Duplicate. */
export async function changeRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<void> {
  const settled = await settleSteps(call, tx, object, changes);
  throwRefusal(settled.refusals);
  for (const group of withSameFields(settled.changes)) await write(call, tx, object, group, settled.witnessed);
}

/** Makes those of the changes that can be made, each standing on its own, and says why the others are not. */
export async function changeEach(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<Refusals> {
  const ids = changes.map(({ id }) => id);
  const refusals = new Map(await lockForChange(call, tx, object, ids));
  const allowed = changes.filter(({ id }) => !refusals.has(id));
  const settled = await settleSteps(call, tx, object, allowed);
  for (const [id, error] of settled.refusals) refusals.set(id, error);
  for (const group of withSameFields(settled.changes))
    await inHalves(call, tx, object, group, refusals, (some) => write(call, tx, object, some, settled.witnessed));
  return refusals;
}

/** Everything beside the rows first: others wait for what the rows leave. */
async function write(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
  witnessed: readonly Witnessed[],
): Promise<void> {
  const rows: ChangedRow[] = [];
  if (changes.length > 1) await giveUpValues(call, tx, object, changes);
  const swaps = await swapsAmong(call, tx, object, changes);
  for (const change of changes) {
    await refuseMoreLinks(call, tx, object, change.id, change.links);
    rows.push({ ...change, links: await replaceLinks(call, tx, change.id, change.links) });
    await replaceValues(call, tx, object, change.id, change);
  }
  const ids = new Set(changes.map(({ id }) => id));
  const own = witnessed.filter(({ recordId }) => ids.has(recordId));
  await insertWitnesses(call, tx, object.id, own);
  throwRefusal(await writeRows(call, tx, withoutSwaps(await alteration(call, object, rows, true), swaps)));
  await fillSwaps(call, tx, object, swaps);
}
