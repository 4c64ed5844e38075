/** The columns of an object's PIPELINE field. [spec: Record in a pipeline] */
import type { FieldDef, FieldTypeName } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';

export interface PipelineFields {
  readonly pipeline: FieldDef;
  readonly step: FieldDef;
  readonly enteredAt: FieldDef;
}

/** The fields of a record's pipeline position; undefined for an object without one. */
export function pipelineFields(object: ObjectDef): PipelineFields | undefined {
  const ofType = (type: FieldTypeName) => object.attributes.values().find((field) => field.type === type);
  const pipeline = ofType('PIPELINE_ID');
  const step = ofType('PIPELINE_STEP_ID');
  const enteredAt = object.attributes.get('pipeline_step_entered_at');
  return pipeline && step && enteredAt ? { pipeline, step, enteredAt } : undefined;
}
