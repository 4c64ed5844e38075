/** Executes a write of rows: in one statement, or in steps on Citus. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { writeInSteps } from './in-steps.ts';
import { writeAtOnce } from './one-statement.ts';
import { refusalsOf, type Refusals, type RowWrite } from './row-write.ts';

/** Writes the rows that pass every check, and returns the refusals of the others. Throws StaleCaller. */
export async function writeRows(call: Call, tx: WorkspaceTransaction, write: RowWrite): Promise<Refusals> {
  const carryOut = call.workspace.engine === 'citus' ? writeInSteps : writeAtOnce;
  return refusalsOf(write, await carryOut(call, tx, write));
}
