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

/** The ids of a step and its pipeline. */
export interface PipelinePosition {
  readonly pipelineId: string;
  readonly stepId: string;
}

/**
 * Moves the record to the step; does nothing if it is there. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, CONFLICT for
 * an unexpected state, MISSING_REQUIRED_FIELDS, and refusals of values that the step sets.
 */
export async function moveRecord(
  call: Call,
  object: ObjectDef,
  { step, pipeline }: PipelineFields,
  id: string,
  position: PipelinePosition,
  expected: ExpectedStates,
): Promise<void> {
  if (!call.visibility.writes(object.name, step.name))
    throw errors.permissionDenied(`Your role may read ${step.name}, not change it`);
  const cells = new Map([
    [pipeline, [position.pipelineId]],
    [step, [position.stepId]],
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
