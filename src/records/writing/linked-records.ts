/** Checks link targets of tasks and notes; a missing one is RECORD_NOT_FOUND. [spec: Tasks, Notes] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { sql } from '../../postgres/sql.ts';
import { namingMasters } from '../merging/old-ids.ts';
import type { Decoded } from './decode.ts';
import { presentTargets } from './links.ts';
import { throwRefusal } from './row-write.ts';

/**
 * Locks the records that `links` lead to against the trash. Throws RECORD_NOT_FOUND for one that is missing or not
 * visible, naming the master of a merged one; a link that the record `id` already has may stay.
 */
export async function requireLinked(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  links: Decoded['links'],
): Promise<void> {
  for (const [field, wanted] of links) {
    const targets = [...new Set(wanted.map(({ target }) => target))];
    if (targets.length === 0) continue;
    const present = await presentTargets(call, tx, field, targets);
    const absent = targets.filter((target) => !present.has(target));
    if (absent.length === 0) continue;
    const table = call.workspace.table(field.linkTable ?? '');
    const { rows } = await tx.run(
      sql`select l.target_id from ${table} l where l.source_id = ${id}::uuid and l.target_id = any(${absent}::uuid[])`,
    );
    const linked = new Set(rows.map(([target]) => target));
    const missing = absent.find((target) => !linked.has(target));
    if (missing !== undefined) await refuseMissing(call, tx, field, missing);
  }
}

/** Throws RECORD_NOT_FOUND, naming the master of a merged record. */
async function refuseMissing(call: Call, tx: WorkspaceTransaction, field: FieldDef, id: string): Promise<void> {
  const name = field.relationConfig?.targetObjectName ?? '';
  const refusals = new Map([[id, errors.recordNotFound(name, id)]]);
  const object = call.model.objects.get(name);
  throwRefusal(object ? await namingMasters(call, tx, object, refusals) : refusals);
}
