/** Has a write of rows carried out: in one statement, or in steps where the database needs that. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { writeInSteps } from './in-steps.ts';
import { writeAtOnce } from './one-statement.ts';
import { refusalsOf, type Refusals, type RowWrite } from './row-write.ts';

/** Writes those of the rows that every check lets pass, in the transaction, and says why the others are not. Throws StaleCaller. */
export async function writeRows(call: Call, tx: WorkspaceTransaction, write: RowWrite): Promise<Refusals> {
  const carryOut = call.workspace.engine === 'citus' ? writeInSteps : writeAtOnce;
  return refusalsOf(write, await carryOut(call, tx, write));
}
