/** The move of a record in its pipeline. [spec: Pipelines, Record in a pipeline] */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { changeRows, lockForChange } from './change-rows.ts';
import type { ExpectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import type { PipelineFields } from './pipeline-fields.ts';
import { throwRefusal } from './row-write.ts';
import { namingDuplicates } from './unique.ts';

/** A step, and the pipeline that it belongs to, by their ids. */
export interface Place {
  readonly pipelineId: string;
  readonly stepId: string;
}

/**
 * Brings the record to the step; one that is there already is left as it is. Throws RECORD_NOT_FOUND, PERMISSION_DENIED,
 * CONFLICT where it is in none of the expected states, MISSING_REQUIRED_FIELDS, and what a value that the step sets is refused for.
 */
export async function moveRecord(
  call: Call,
  object: ObjectDef,
  { step, pipeline }: PipelineFields,
  id: string,
  place: Place,
  expected: ExpectedStates,
): Promise<void> {
  if (!call.visibility.writes(object.name, step.name))
    throw errors.permissionDenied(`Your role may read ${step.name}, not change it`);
  const cells = new Map([
    [pipeline, [place.pipelineId]],
    [step, [place.stepId]],
  ]);
  const change = { id, cells, links: new Map<never, never>(), byStep: new Set<never>() };
  await namingDuplicates(call, object, change, () =>
    call.workspace.transaction(async (tx) => {
      throwRefusal(await lockForChange(call, tx, object, [id]));
      if (!(await isAsExpected(call, tx, object, id, expected))) throw errors.stale();
      await changeRows(call, tx, object, [change]);
    }),
  );
}
