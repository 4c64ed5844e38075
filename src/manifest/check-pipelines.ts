/** Checks pipelines: whether the object can have one, and what its steps ask for and set. */
import type { FieldDef } from '../fields/field-def.ts';
import type { PipelineDef, PipelineStepDef } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { checkValue } from './check-values.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { notThere } from './renames.ts';
import { below } from './shape.ts';

/** In slices, as thousands of steps have values, each possibly a page of HTML. */
export async function checkPipelines(model: Model, draft: Draft, problems: Problems): Promise<void> {
  for (const pipeline of model.pipelines) {
    const object = model.objects.get(pipeline.objectName);
    const place = placeOf(draft, pipeline.id, `${pipeline.objectName}.${pipeline.name}`);
    if (!object) throw new Error(`Pipeline ${pipeline.id} belongs to no object`);
    if (object.fields.some((field) => field.type === 'PIPELINE'))
      await checkSteps(model, object, pipeline, draft, problems);
    else problems.add(below(place, 'objectName'), `is ${object.name}, which has no field of the type PIPELINE`);
  }
}

async function checkSteps(
  model: Model,
  object: ObjectDef,
  pipeline: PipelineDef,
  draft: Draft,
  problems: Problems,
): Promise<void> {
  for (const step of pipeline.steps) {
    if (sliceIsOver()) await nextSlice();
    const place = placeOf(draft, step.id, `${pipeline.objectName}.${pipeline.name}.${step.name}`);
    for (const [index, question] of step.questions.entries()) {
      const name = question.linked_field_name;
      const at = `${place}.questions[${index}].linked_field_name`;
      if (!object.attributes.has(name)) problems.add(at, notThere(`field of ${object.name}`, name, fieldNames(object)));
    }
    await checkSet(model, object, step.forcedValues, below(place, 'forced_values'), problems);
    await checkSet(model, object, step.defaultValues, below(place, 'default_values'), problems);
  }
}

async function checkSet(
  model: Model,
  object: ObjectDef,
  values: PipelineStepDef['forcedValues'],
  place: string,
  problems: Problems,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (sliceIsOver()) await nextSlice();
    const field = object.fields.find((candidate) => candidate.name === name);
    const at = below(place, name);
    if (!field) problems.add(at, notThere(`field of ${object.name}`, name, fieldNames(object)));
    else if (!maySet(field)) problems.add(at, `cannot be set by a step: ${field.type}`);
    else checkValue(model, object, field, value, at, problems);
  }
}

/** Whether a step can set the field: it is not computed, not kept by the service, and stored in its own column. */
function maySet(field: FieldDef): boolean {
  const type = fieldType(field.type);
  return !field.isReadonly && !type.parts && type.columns(field).length > 0;
}

function fieldNames(object: ObjectDef): readonly string[] {
  return object.fields.map((field) => field.name);
}
