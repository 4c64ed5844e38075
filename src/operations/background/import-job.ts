/** The job that imports many rows in steps, in the name of the admin who executed it. */
import { Type, type Static } from 'typebox';
import type { Call } from '../../access/call.ts';
import { defineJob, type Job, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { jobNamedBy } from '../../jobs/table.ts';
import { identifier, instant, sql, type Sql } from '../../postgres/sql.ts';
import { nothingYet } from '../../records/import/jobs/states.ts';
import { executePart } from '../../records/import/jobs/steps.ts';
import { lockImport, readPart, updateImport } from '../../records/import/jobs/table.ts';
import { defineOperation, type Operation } from '../door/operation.ts';
import { auditImport, callOfFile, objectOf, preparedFor } from '../imports/import-running.ts';
import { askAfterImport } from './after-import.ts';
import { askedBy, asking, noInput, performStep, type StepParts } from './steps.ts';

export const importKind = 'import';

/** The error of an import whose job no longer exists. */
export const endedEarly = 'The work on this import has ended before all of its rows were in';

/** Marks imports as failed whose jobs have failed or are gone; used by the sweep. */
export function failLostImports(schema: string, now: number): Sql {
  const imports = identifier(schema, '_import_jobs');
  const { isUnfinished, error } = jobNamedBy(schema, sql`${imports}.job_id`);
  return sql`update ${imports} set status = 'failed', error = coalesce(${error}, ${endedEarly}),
    finished_at = ${instant(now)}
    where status in ('queued', 'running') and not ${isUnfinished}`;
}

const ImportJobInput = Type.Object({ import_id: Type.String(), ...asking });
type ImportJobInput = Static<typeof ImportJobInput>;

/** The job for an import, in the caller's name. */
export function importJob(call: Call, importId: string): WantedJob & { readonly id: string } {
  const { caller, jobId } = call;
  return {
    id: jobId,
    kind: importKind,
    input: { import_id: importId, ...askedBy(call) },
    inNameOf: { workspaceUserId: caller.workspaceUserId, tokenId: caller.tokenId },
  };
}

/** The job kind: each step imports a part of the file and stores its outcome in the same transaction. */
export function importing(parts: StepParts): JobKind {
  return defineJob({
    kind: importKind,
    input: ImportJobInput,
    async run(job, signal) {
      let part = typeof job.progress === 'number' ? job.progress : 0;
      for (let isOver = false; !isOver; part++, signal.throwIfAborted()) {
        ({ isOver } = await performStep(parts, job, stepOf(job, part), signal));
      }
    },
  });
}

interface Step {
  readonly isOver: boolean;
}

function stepOf({ input, checkpoint }: Job<ImportJobInput>, at: number): Operation<typeof noInput, Step> {
  return defineOperation({
    id: 'imports.execute',
    summary: 'One step of an import',
    input: noInput,
    output: Type.Object({}),
    effect: 'write',
    cost: 'long',
    source: 'import',
    adminOnly: 'Importing records',
    async run(call) {
      return call.workspace.transaction(async (tx) => {
        const stored = await lockImport(call, tx, input.import_id);
        const { choice, analysis, outcome: was } = stored;
        if (!choice || (stored.status !== 'queued' && stored.status !== 'running')) return { isOver: true };
        const object = objectOf(call, stored);
        const part = await readPart(call, tx, stored.id, at);
        if (!part) {
          const status = (was?.failed ?? 0) > 0 ? 'completed_with_errors' : 'completed';
          await updateImport(call, tx, stored.id, { status, finishedAt: call.now });
          auditImport(call, tx, stored, { status, outcome: was });
          await askAfterImport(call, tx, object);
          await checkpoint(tx, at);
          return { isOver: true };
        }
        const { prepared } = preparedFor(call, object, analysis, choice);
        const holds = choice.hash !== undefined;
        const { outcome } = await executePart(
          callOfFile(call, analysis),
          tx,
          stored.id,
          prepared,
          part,
          was ?? nothingYet,
          holds,
        );
        await updateImport(call, tx, stored.id, { status: 'running', outcome });
        await checkpoint(tx, at + 1);
        return { isOver: false };
      });
    },
  });
}
