/** [spec: Bulk] One change of many records: those named by id, or all that match filters. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { Component, Lenient } from '../../describe/annotations.ts';
import { errors, type KithError } from '../../errors.ts';
import { insertJob } from '../../jobs/table.ts';
import { isUuid } from '../../lib/id.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { planIds } from '../../query/plan-ids.ts';
import { totalOf as countOf } from '../../records/reading/list-page.ts';
import { changeMany } from '../../records/writing/change-many.ts';
import { bulkJob } from '../background/bulk-job.ts';
import { BulkChangeInput, bulkChange, bulkObject, refuseOtherParts, type BulkInput } from './bulk-change.ts';
import { BulkOutcome, nothingYet, outcomeOf, tallied, totalOf } from './bulk-outcome.ts';
import { filtersOf } from './filter-input.ts';
import { defineOperation } from '../door/operation.ts';
import { Id } from '../outputs.ts';
import { soMany } from '../../lib/so-many.ts';

const mostIds = 10_000;
/** More matching records are changed by a job. */
const mostAtOnce = 1_000;

export const bulkUpdate = defineOperation({
  id: 'bulk.update',
  summary: 'Change a field or relation of many records, or delete or restore them; each succeeds or fails by itself',
  input: Type.Object(
    {
      ...BulkChangeInput,
      record_ids: Type.Optional(
        Type.Array(Type.String(), { description: `Required without filters: at most ${formatted(mostIds)} ids` }),
      ),
      filters: Type.Optional(
        Lenient(Component('FilterGroup'), 'All records that match, in place of record_ids; not of restore'),
      ),
      expected_count: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Required with filters: how many match. Where it is another number, nothing is changed',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Union([
    Type.Object({
      ...BulkOutcome.properties,
      duplicates: Type.Optional(Type.Integer({ description: 'Ids that were given more than once' })),
    }),
    Type.Object({
      action: Type.String(),
      job_id: Id,
      status: Type.String({ enum: ['queued'], description: `Where more than ${formatted(mostAtOnce)} match` }),
      total: Type.Integer(),
    }),
  ]),
  forWriters: true,
  effect: 'destructive',
  cost: 'long',
  async run(call, input) {
    const { record_ids: ids, filters, expected_count: expected, ...change } = input;
    const object = bulkObject(call, change);
    refuseOtherParts(change);
    if (filters !== undefined && filters !== null) {
      if (ids !== undefined) throw errors.validation('record_ids and filters are not given together');
      if (change.action === 'restore')
        throw errors.validation('restore takes record_ids: no filter looks into the trash');
      if (expected === undefined) throw errors.missingField('expected_count', 'how many records match the filters');
      return changeMatching(call, object, change, { filters, where: filtersOf({ filters }), expected });
    }
    if (!ids || ids.length === 0) throw errors.missingField('record_ids', 'at least one, or filters in their place');
    if (ids.length > mostIds) throw errors.validation(`record_ids takes at most ${formatted(mostIds)} ids`);
    if (expected !== undefined) throw errors.validation('expected_count belongs to filters');
    return changeNamed(call, object, change, ids);
  },
});

/** Changes the named records. Repeated ids count as one record. */
async function changeNamed(call: Call, object: ObjectDef, input: BulkInput, given: readonly string[]) {
  const ids = [...new Set(given.map((id) => (isUuid(id) ? id.toLowerCase() : id)))];
  const change = await bulkChange(call, object, input, ids.length, ids.length);
  const known = ids.filter(isUuid);
  const outcome = await call.workspace.transaction((tx) => changeMany(call, tx, object, change, known));
  const refusals = new Map<string, KithError>(outcome.refusals);
  const missing = input.action === 'restore' ? errors.notInTrash : errors.recordNotFound;
  for (const id of ids) if (!isUuid(id)) refusals.set(id, missing(object.name, id));
  const tally = tallied(object, nothingYet, input.action, { ...outcome, refusals }, ids);
  const duplicates = given.length - ids.length;
  return { ...outcomeOf(input, tally, given.length), ...(duplicates > 0 && { duplicates }) };
}

interface Matching {
  /** The filters as sent, for the job. */
  readonly filters: unknown;
  readonly where: readonly FilterGroup[];
  readonly expected: number;
}

/** Changes the matching records. Throws CONFLICT if their number differs from the expected one. */
async function changeMatching(call: Call, object: ObjectDef, input: BulkInput, { filters, where, expected }: Matching) {
  const change = await bulkChange(call, object, input, expected, Math.min(expected, mostAtOnce));
  const plan = planIds(call, object, where, { most: mostAtOnce + 1 });
  const [found] = await call.workspace.read(plan.statement);
  const ids = plan.read(found?.rows ?? []);
  const count = ids.length > mostAtOnce ? await countOf(call, object, where) : ids.length;
  if (count !== expected)
    throw errors.conflict(
      `${soMany(count, 'record matches', 'records match')}, not ${formatted(expected)}: nothing was changed`,
    );
  if (ids.length <= mostAtOnce) {
    const outcome = await call.workspace.transaction((tx) => changeMany(call, tx, object, change, ids, where));
    return outcomeOf(input, tallied(object, nothingYet, input.action, outcome, ids), count);
  }
  const job = bulkJob(call, { ...input, filters, expected_count: expected });
  await call.workspace.transaction((tx) => tx.run(insertJob(call.model, job, call.now)));
  call.wake(call.now);
  return {
    action: input.action,
    job_id: job.id,
    status: 'queued',
    total: totalOf(input.action, input.target_ids, count),
  };
}

function formatted(count: number): string {
  return count.toLocaleString('en');
}
