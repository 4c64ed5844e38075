/**
 * What it takes for a record to go from one step to another, decided before the write that moves it is made, on the record as it
 * would be. [spec: States and transitions, Record in a pipeline]
 */
import type { PipelineDef, PipelineStepDef, StepQuestion } from '../../fields/field-type.ts';
import { lastOngoing } from './pipeline-position.ts';

/** A record goes from one step to another. */
export interface Transition {
  /** Null where the record stood nowhere. */
  readonly from: { readonly pipeline: PipelineDef; readonly step: PipelineStepDef } | null;
  readonly to: { readonly pipeline: PipelineDef; readonly step: PipelineStepDef };
}

/** A row of `_pipeline_step_history`: a step that was left, or a final one that was entered. */
export interface Witness {
  readonly step: PipelineStepDef;
  readonly pipeline: PipelineDef;
  readonly kind: 'left' | 'entered';
}

/** Towards a step that comes later in the same pipeline. To go on from a final step to an ongoing one is to reopen: backward. */
function isForward({ from, to }: Transition): boolean {
  if (!from || from.pipeline !== to.pipeline) return false;
  return from.step.order_index < to.step.order_index && !(isFinal(from.step) && !isFinal(to.step));
}

/** An earlier step of the same pipeline, or one that reopens the record: nothing is asked for, and nothing witnessed. */
function isBackward(transition: Transition): boolean {
  return transition.from?.pipeline === transition.to.pipeline && !isForward(transition);
}

function isFinal({ kind }: PipelineStepDef): boolean {
  return kind !== 'ongoing';
}

/**
 * The names of the fields that must be filled: those that the step which is left asks for before the next one, and, where the
 * record is closed, those that either step asks for then, but for questions that a forced value answers.
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

/** What is kept of the move for good: the step that is left, and the final one where the record is closed from the last ongoing step. */
export function witnessesOf(transition: Transition): readonly Witness[] {
  const { from, to } = transition;
  if (!from || isBackward(transition)) return [];
  const closes = from.pipeline === to.pipeline && from.step === lastOngoing(from.pipeline) && isFinal(to.step);
  return [{ ...from, kind: 'left' }, ...(closes ? [{ ...to, kind: 'entered' } as const] : [])];
}
