/** Where a record stands in a pipeline: step and pipeline always agree. [spec: Record in a pipeline] */
import type { FieldError, Mistakes } from '../../errors.ts';
import type { PipelineDef, PipelineStepDef } from '../../fields/field-type.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Decoded } from './decode.ts';
import { pipelineFields, type PipelineFields } from './pipeline-fields.ts';

/**
 * A new record without a position begins at the first step of the default pipeline; with a pipeline alone, at its first. Gives the
 * step; undefined where it has none.
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
  const usual = pipelines.find((pipeline) => pipeline.isDefault) ?? pipelines[0];
  const given = decoded.cells.get(fields.step)?.[0] ?? decoded.cells.get(fields.pipeline)?.[0];
  if (!given && usual) decoded.cells.set(fields.pipeline, [usual.id]);
  settlePosition(object, pipelines, decoded, mistakes);
  const first = firstStep(pipelines, decoded.cells.get(fields.pipeline)?.[0]);
  if (first && !decoded.cells.has(fields.step)) decoded.cells.set(fields.step, [first]);
  const standing = standingAt(pipelines, decoded.cells.get(fields.step)?.[0]);
  if (standing) decoded.cells.set(fields.enteredAt, [now.toISOString()]);
  return standing?.step;
}

/** Adds the pipeline to a step; a step of another pipeline is a problem. A pipeline alone stays so: what it means depends on the record. */
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

/** Of what leaves a record at no step, by the name that the write has for it. */
function noPosition({ step, pipeline }: PipelineFields, stepKey: string | undefined, namesStep: boolean): FieldError {
  const field = namesStep ? (stepKey ?? step.name) : pipeline.name;
  return { field, message: `${field} must be ${namesStep ? 'a step' : 'a pipeline with steps'}` };
}

/** The id of the step at which a record enters the pipeline. */
export function firstStep(
  pipelines: readonly PipelineDef[],
  pipelineId: string | null | undefined,
): string | undefined {
  return pipelines.find((pipeline) => pipeline.id === pipelineId)?.steps[0]?.id;
}

/** The ongoing step that comes last. */
export function lastOngoing({ steps }: PipelineDef): PipelineStepDef | undefined {
  return steps.findLast(({ kind }) => kind === 'ongoing');
}

/** The step of that id, with its pipeline; null where there is none. */
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
