/** Jobs that users request: status and cancelling. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { endJob, selectJob } from '../../jobs/table.ts';
import { isUuid } from '../../lib/id.ts';
import { parseJson } from '../../lib/json.ts';
import { statement } from '../../postgres/sql.ts';
import { resolveAttribute } from '../../query/attributes.ts';
import { planIds } from '../../query/plan-ids.ts';
import { bulkKind, bulkProgress, type BulkJobInput } from './bulk-job.ts';
import { BulkOutcome, nothingYet, outcomeOf, type Tally } from '../records/bulk-outcome.ts';
import { defineOperation } from '../door/operation.ts';
import { Id, Nullable, Time } from '../outputs.ts';

const input = Type.Object({ id: Type.String({ description: 'Id of the job' }) }, { additionalProperties: false });

const output = Type.Object({
  id: Id,
  kind: Type.String({ enum: [bulkKind] }),
  status: Type.String({ enum: ['queued', 'running', 'completed', 'completed_with_errors', 'cancelled', 'failed'] }),
  created_at: Time,
  finished_at: Nullable(Time),
  error: Nullable(Type.String({ description: 'Why it failed, or why it is tried again' })),
  done: Type.Integer({ description: 'Records that it has looked at' }),
  outcome: Type.Object({ ...BulkOutcome.properties, total: Type.Integer() }, { description: 'So far' }),
});

export const getJob = defineOperation({
  id: 'jobs.get',
  summary: 'Progress and outcome of a job of the caller; admins see all jobs',
  input,
  output,
  effect: 'read',
  cost: 'global',
  run: (call, { id }) => jobOut(call, id),
});

export const cancelJob = defineOperation({
  id: 'jobs.cancel',
  summary: 'Cancel a job: its changes so far stay and can be undone',
  input,
  output,
  effect: 'write',
  cost: 'global',
  async run(call, { id }) {
    const { status } = await jobOut(call, id);
    const isEnded =
      (status === 'queued' || status === 'running') &&
      (await call.workspace.transaction(async (tx) => {
        const stopped = { ...nothingYet, seen: 0 };
        const { rows } = await tx.run(endJob(call.model.schema, id, bulkKind, stopped, call.now));
        return rows.length > 0;
      }));
    if (!isEnded) throw errors.conflict('The job has ended: there is nothing to cancel');
    return jobOut(call, id);
  },
});

/** The job in answers. Throws RECORD_NOT_FOUND if the caller may not see it. */
async function jobOut(call: Call, id: string) {
  const asker = call.visibility.isAdmin ? null : call.me;
  const query = isUuid(id) ? selectJob(call.model.schema, id, bulkKind, asker) : undefined;
  const [found] = query ? await call.workspace.read(statement(query, call.model.version)) : [];
  const [row] = found?.rows ?? [];
  if (!row) throw errors.jobNotFound(id);
  const [state, payload, kept, error = null, createdAt, finishedAt] = row;
  const asked = parseJson(payload ?? 'null') as unknown as BulkJobInput;
  const { seen, isCancelled = false, ...counted } = bulkProgress(parseJson(kept ?? 'null'));
  const tally = { ...counted, errors: await seenErrors(call, asked, counted.errors) };
  return {
    id: id.toLowerCase(),
    kind: bulkKind,
    status: isCancelled ? 'cancelled' : statusOf(state ?? '', tally.failed),
    created_at: timeOf(createdAt),
    finished_at: timeOf(finishedAt),
    error,
    done: seen,
    outcome: outcomeOf(asked, tally, asked.expected_count),
  };
}

/**
 * The errors of records that the caller can still see, as its role may have been narrowed. Throws PERMISSION_DENIED if the
 * caller sees no records of the object any more.
 */
async function seenErrors(call: Call, input: BulkJobInput, errorsOf: Tally['errors']): Promise<Tally['errors']> {
  const { model, visibility, workspace } = call;
  const object = model.objects.get(input.object_name);
  if (!object) return [];
  const field = resolveAttribute(object, input.field_name ?? input.relation_field ?? '');
  if (visibility.rows(object.name) === 'none' || (field && !visibility.shows(object.name, field.name)))
    throw errors.permissionDenied('Your role does not view any more what this job was to change');
  if (errorsOf.length === 0) return [];
  const ids = errorsOf.map(({ id }) => id).filter(isUuid);
  const plan = planIds(call, object, [], { most: ids.length, among: ids });
  const [found] = await workspace.read(plan.statement);
  const seen = new Set(plan.read(found?.rows ?? []));
  return errorsOf.filter(({ id }) => seen.has(id));
}

function statusOf(state: string, failed: number): string {
  if (state === 'done') return failed > 0 ? 'completed_with_errors' : 'completed';
  return state === 'waiting' ? 'queued' : state;
}

/** Converts epoch seconds of PostgreSQL to an ISO time. */
function timeOf(seconds: string | null | undefined): string | null {
  return typeof seconds === 'string' ? new Date(Number(seconds) * 1000).toISOString() : null;
}
