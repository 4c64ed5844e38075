/** Reports invalid references of a write that is refused anyway, beside its other mistakes. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { KithError, type FieldError, type Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { alteration } from './alteration.ts';
import type { Change } from './change.ts';
import type { NewRecord } from './create-rows.ts';
import { referring } from './insertion.ts';
import { judgeRows } from './judge-rows.ts';
import { strayLinks, strayLinksOfChange } from './links.ts';
import { unexplained } from './row-write.ts';
import { targetOf } from './references.ts';

/** A record that will not be written, with its mistakes so far. */
export interface Mistaken {
  readonly record: NewRecord;
  readonly mistakes: Mistakes;
}

/** Adds the invalid references to each record's mistakes. */
export async function addStrayReferences(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  mistaken: readonly Mistaken[],
): Promise<void> {
  const records = mistaken.map(({ record }) => onlyReferences(record)).filter((record) => mayStray(call, record));
  if (records.length === 0) return;
  const refusals = await judgeRows(tx, referring(call, object, records));
  const links = await strayLinks(call, tx, records);
  for (const { record, mistakes } of mistaken) {
    addProblems(object, mistakes, refusals.get(record.id)?.fieldErrors ?? []);
    addProblems(object, mistakes, links.get(record.id) ?? []);
  }
}

/** Adds the invalid references of a change; nothing for a record that may not be changed. */
export async function addStrayReferencesOfChange(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  change: Change,
  mistakes: Mistakes,
): Promise<void> {
  const bare = onlyReferences(change);
  const refusals = await judgeRows(tx, await alteration(call, object, [{ ...bare, links: null }], false));
  const refusal = refusals.get(change.id);
  if (refusal && refusal.code !== 'VALIDATION_ERROR') return;
  addProblems(object, mistakes, refusal?.fieldErrors ?? []);
  addProblems(object, mistakes, await strayLinksOfChange(call, tx, change.id, change.links));
}

/**
 * Does `work`; if it is refused for fields, adds these to `mistakes`, then those of `further`, and throws all of
 * them.
 */
export async function reportingAll<T>(
  mistakes: Mistakes,
  further: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  if (mistakes.count === 0) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof KithError) || error.code !== 'VALIDATION_ERROR' || !error.fieldErrors) throw error;
      for (const problem of error.fieldErrors) mistakes.add(problem);
    }
  }
  await further();
  throw mistakes.error() ?? unexplained();
}

function onlyReferences<Row extends Change>(row: Row): Row {
  const cells = new Map([...row.cells].filter(([field, given]) => targetOf(field, given) !== undefined));
  return { ...row, cells };
}

/** Whether a record refers to anyone but the caller, who exists and owns a new record by default. */
export function mayStray({ me }: Call, { cells, links }: Change): boolean {
  const ids = [...cells].filter(([field, given]) => targetOf(field, given) !== undefined).map(([, [id]]) => id);
  return links.size > 0 || ids.some((id) => id !== null && id !== me);
}

/** A child whose parent could not be read is not judged: the error would be a guess. */
function addProblems(object: ObjectDef, mistakes: Mistakes, problems: readonly FieldError[]): void {
  const parentOf = ({ field }: FieldError): FieldDef['dependsOn'] => object.attributes.get(field)?.dependsOn;
  for (const problem of problems) {
    const parent = parentOf(problem);
    if (mistakes.concerns(problem.field) || (parent !== undefined && mistakes.concerns(parent))) continue;
    mistakes.add(problem);
  }
}
