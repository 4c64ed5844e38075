/**
 * The requirements of a move from one step to another, decided before the write, on the record as it would be. [spec:
 * States and transitions, Record in a pipeline]
 */
import type { PipelineDef, PipelineStepDef, StepQuestion } from '../../fields/field-type.ts';
import { lastOngoing } from './pipeline-position.ts';

/** A move of a record from one step to another. */
export interface Transition {
  /** Null where the record had no step. */
  readonly from: { readonly pipeline: PipelineDef; readonly step: PipelineStepDef } | null;
  readonly to: { readonly pipeline: PipelineDef; readonly step: PipelineStepDef };
}

/** A row of `_pipeline_step_history`: a step that was left, or a final one that was entered. */
export interface Witness {
  readonly step: PipelineStepDef;
  readonly pipeline: PipelineDef;
  readonly kind: 'left' | 'entered';
}

/**
 * Whether it leads to a later step of the same pipeline. From a final step to an ongoing one is backward: it reopens
 * the record.
 */
function isForward({ from, to }: Transition): boolean {
  if (!from || from.pipeline !== to.pipeline) return false;
  return from.step.order_index < to.step.order_index && !(isFinal(from.step) && !isFinal(to.step));
}

/** Whether it leads to an earlier step of the same pipeline or reopens the record: nothing is required or witnessed. */
function isBackward(transition: Transition): boolean {
  return transition.from?.pipeline === transition.to.pipeline && !isForward(transition);
}

function isFinal({ kind }: PipelineStepDef): boolean {
  return kind !== 'ongoing';
}

/**
 * The names of required fields: those that the left step requires before the next one and, on closing, those that
 * either step requires then, except questions that a forced value answers.
 */
export function requiredFields(transition: Transition): ReadonlySet<string> {
  const { from, to } = transition;
  if (isBackward(transition)) return new Set();
  const left = from?.step.questions ?? [];
  const forNext = isForward(transition) ? left.filter((question) => question.required_for_next_stage) : [];
  const closing = isFinal(to.step) ? [...left, ...to.step.questions] : [];
  const isForced = ({ is_forced_value, linked_field_name }: StepQuestion) =>
    is_forced_value || (to.step.forcedValues[linked_field_name] ?? null) !== null;
  const forClosure = closing.filter((question) => question.required_for_closure && !isForced(question));
  return new Set([...forNext, ...forClosure].map((question) => question.linked_field_name));
}

/**
 * The permanent entries of the move: the step that is left, and the final one if the record is closed from the last
 * ongoing step.
 */
export function witnessesOf(transition: Transition): readonly Witness[] {
  const { from, to } = transition;
  if (!from || isBackward(transition)) return [];
  const closes = from.pipeline === to.pipeline && from.step === lastOngoing(from.pipeline) && isFinal(to.step);
  return [{ ...from, kind: 'left' }, ...(closes ? [{ ...to, kind: 'entered' } as const] : [])];
}
