/** The position of a record in a pipeline: step and pipeline always agree. [spec: Record in a pipeline] */
import type { FieldError, Mistakes } from '../../errors.ts';
import type { PipelineDef, PipelineStepDef } from '../../fields/field-type.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Decoded } from './decode.ts';
import { pipelineFields, type PipelineFields } from './pipeline-fields.ts';

/**
 * Sets the initial position: the first step of the default pipeline, or of the given pipeline. Returns the step;
 * undefined without one.
 */
export function enterPipeline(
  object: ObjectDef,
  pipelines: readonly PipelineDef[],
  decoded: Decoded,
  now: Date,
  mistakes: Mistakes,
): PipelineStepDef | undefined {
  const fields = pipelineFields(object);
  if (!fields) return undefined;
  const defaultPipeline = pipelines.find((pipeline) => pipeline.isDefault) ?? pipelines[0];
  const given = decoded.cells.get(fields.step)?.[0] ?? decoded.cells.get(fields.pipeline)?.[0];
  if (!given && defaultPipeline) decoded.cells.set(fields.pipeline, [defaultPipeline.id]);
  settlePosition(object, pipelines, decoded, mistakes);
  const first = firstStep(pipelines, decoded.cells.get(fields.pipeline)?.[0]);
  if (first && !decoded.cells.has(fields.step)) decoded.cells.set(fields.step, [first]);
  const standing = standingAt(pipelines, decoded.cells.get(fields.step)?.[0]);
  if (standing) decoded.cells.set(fields.enteredAt, [now.toISOString()]);
  return standing?.step;
}

/**
 * Adds the pipeline of a given step; a step of another pipeline is a problem. A pipeline alone stays: its meaning
 * depends on the record.
 */
export function settlePosition(
  object: ObjectDef,
  pipelines: readonly PipelineDef[],
  decoded: Decoded,
  mistakes: Mistakes,
): void {
  const fields = pipelineFields(object);
  if (!fields) return;
  const stepId = decoded.cells.get(fields.step)?.[0];
  const pipelineId = decoded.cells.get(fields.pipeline)?.[0];
  if (stepId === undefined && pipelineId === undefined) return;
  if (!stepId) {
    const namesStep = decoded.cells.delete(fields.step);
    if (firstStep(pipelines, pipelineId) === undefined) mistakes.add(noPosition(fields, decoded.stepKey, namesStep));
    return;
  }
  const owner = pipelines.find((pipeline) => pipeline.steps.some((step) => step.id === stepId));
  if (owner && pipelineId && owner.id !== pipelineId) {
    mistakes.add({ field: fields.step.name, message: `${fields.step.name} is a step of the pipeline ${owner.name}` });
  }
  if (owner) decoded.cells.set(fields.pipeline, [owner.id]);
}

/** The error for a write that leaves a record at no step, under the key that the write uses for it. */
function noPosition({ step, pipeline }: PipelineFields, stepKey: string | undefined, namesStep: boolean): FieldError {
  const field = namesStep ? (stepKey ?? step.name) : pipeline.name;
  return { field, message: `${field} must be ${namesStep ? 'a step' : 'a pipeline with steps'}` };
}

/** The id of a pipeline's first step. */
export function firstStep(
  pipelines: readonly PipelineDef[],
  pipelineId: string | null | undefined,
): string | undefined {
  return pipelines.find((pipeline) => pipeline.id === pipelineId)?.steps[0]?.id;
}

/** The last ongoing step. */
export function lastOngoing({ steps }: PipelineDef): PipelineStepDef | undefined {
  return steps.findLast(({ kind }) => kind === 'ongoing');
}

/** The step with that id, and its pipeline; null where there is none. */
export function standingAt(
  pipelines: readonly PipelineDef[],
  stepId: string | null | undefined,
): { readonly pipeline: PipelineDef; readonly step: PipelineStepDef } | null {
  for (const pipeline of pipelines) {
    const step = pipeline.steps.find(({ id }) => id === stepId);
    if (step) return { pipeline, step };
  }
  return null;
}
