/** [spec: Pipelines] Pipelines, the moves of a record between steps, and the time spent at each. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { mayKnow } from '../../access/policies.ts';
import { errors, quoted } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { PipelineDef } from '../../fields/field-type.ts';
import { optionsNamed } from '../../fields/types/pipeline.ts';
import type { ObjectDef } from '../../model/model.ts';
import { missingRecord, namingMaster } from '../../records/merging/old-ids.ts';
import { recordId } from '../../records/reading/named.ts';
import { stepsPage } from '../../records/reading/steps-page.ts';
import { expectedStates } from '../../records/writing/etag.ts';
import { moveRecord, type PipelinePosition } from '../../records/writing/move.ts';
import { pipelineFields, type PipelineFields } from '../../records/writing/pipeline-fields.ts';
import { defineOperation, defineRecordOperation, pageText } from '../door/operation.ts';
import { Cursor, IfMatch, ObjectName, RecordId, recordPage } from '../inputs.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const Values = Type.Record(Type.String(), Type.Unknown());
const Step = Type.Object({
  id: Id,
  name: Type.String(),
  order_index: Type.Integer(),
  kind: Type.String({ enum: ['ongoing', 'won', 'lost'] }),
  questions: Type.Array(
    Type.Object({
      linked_field_name: Type.String(),
      required_for_next_stage: Type.Boolean(),
      required_for_closure: Type.Boolean(),
      is_forced_value: Type.Boolean(),
    }),
  ),
  forced_values: Values,
  default_values: Values,
});

export const listPipelines = defineOperation({
  id: 'pipelines.list',
  summary: 'All pipelines with their steps, and what each step asks for and sets',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    pipelines: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        objectName: Type.String(),
        is_default: Type.Boolean(),
        steps: Type.Array(Step),
      }),
    ),
  }),
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call) {
    await call.workspace.read(); // checks the caller before the model is shown
    const shown = call.model.pipelines.flatMap((pipeline) => {
      const object = call.model.objects.get(pipeline.objectName);
      return object && knownPosition(call, object) ? [pipelineOf(call, object, pipeline)] : [];
    });
    return { pipelines: shown };
  },
});

function stepField(object: ObjectDef): string | undefined {
  return pipelineFields(object)?.step.name;
}

/** The pipeline fields of the object; undefined if hidden from the caller. */
function knownPosition({ visibility }: Call, object: ObjectDef): PipelineFields | undefined {
  const fields = pipelineFields(object);
  return fields && mayKnow(object, visibility) && visibility.shows(object.name, fields.step.name) ? fields : undefined;
}

/** The pipeline fields of the object. Throws INVALID_OPERATION if it has no pipeline or it is hidden. */
function neededPosition(call: Call, object: ObjectDef): PipelineFields {
  const fields = knownPosition(call, object);
  if (fields) return fields;
  throw errors.invalidOperation(`${object.name} has no field of the type PIPELINE`);
}

/** A pipeline in answers. Fields that the caller may not see are left out of questions and values. */
function pipelineOf({ visibility }: Call, object: ObjectDef, { id, name, objectName, isDefault, steps }: PipelineDef) {
  const shows = (field: string) => visibility.shows(object.name, field);
  const visible = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => shows(field)));
  return {
    id,
    name,
    objectName,
    is_default: isDefault,
    steps: steps.map((step) => ({
      id: step.id,
      name: step.name,
      order_index: step.order_index,
      kind: step.kind,
      questions: step.questions.filter((question) => shows(question.linked_field_name)),
      forced_values: visible(step.forcedValues),
      default_values: visible(step.defaultValues),
    })),
  };
}

export const moveInPipeline = defineRecordOperation({
  id: 'pipelines.move',
  summary: 'Move a record to another step of its pipeline',
  input: Type.Object(
    {
      object: ObjectName,
      id: RecordId,
      pipeline_step_id: Type.Optional(
        Type.String({ description: 'Required: id of a step, or its name where only one has it' }),
      ),
      pipeline_id: Type.Optional(Type.String({ description: 'That of the step when absent' })),
      if_match: IfMatch,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    deal_id: Type.String({ description: 'The id in the path' }),
    pipeline_step_id: Id,
    action: Type.String({ enum: ['moved'] }),
  }),
  needs: 'update',
  ofField: stepField,
  effect: 'write',
  cost: 'global',
  refused: errors.moveFailed,
  async run(call, input, object) {
    const fields = neededPosition(call, object);
    const step = (input.pipeline_step_id ?? '').trim();
    if (step === '') throw errors.missingField('pipeline_step_id');
    const position = positionOf(call, object, step, input.pipeline_id);
    const id = recordId(object, input.id);
    await namingMaster(call, object, id, () =>
      moveRecord(call, object, fields, id, position, expectedStates(input.if_match)),
    );
    return { deal_id: input.id, pipeline_step_id: position.stepId, action: 'moved' };
  },
});

/** The step with that id, or with a name that is unique. Throws RECORD_NOT_FOUND, INVALID_OPERATION. */
function positionOf(call: Call, object: ObjectDef, step: string, pipeline: string | undefined): PipelinePosition {
  const { objects, pipelines: all } = call.model;
  const own = all.filter(({ objectName }) => objectName === object.name);
  const given = pipeline === undefined ? undefined : optionsNamed(pipeline, own)[0];
  if (pipeline !== undefined && !given) {
    const names = own.map(({ name }) => name);
    const message = `${object.name} has no pipeline ${quoted(pipeline)}${didYouMean(pipeline, names)}`;
    throw errors.invalidOperation(message, names);
  }
  const elsewhere = all.filter(({ objectName }) => {
    const other = objects.get(objectName);
    return other && other !== object && knownPosition(call, other);
  });
  const positionsIn = (pipelines: readonly PipelineDef[]) =>
    pipelines.flatMap(({ id, steps }) =>
      optionsNamed(step, steps).map((found) => ({ pipelineId: id, stepId: found.id })),
    );
  const [position, another] = positionsIn(given ? [given] : own);
  if (position && another)
    throw errors.invalidOperation(`Several steps are called ${quoted(step)}: give the id, or pipeline_id`);
  if (position) return position;
  if (positionsIn([...own, ...elsewhere]).length > 0)
    throw errors.invalidOperation(`The step ${quoted(step)} belongs to another pipeline`);
  const names = (given ? [given] : own).flatMap(({ steps }) => steps.map(({ name }) => name));
  throw errors.stepNotFound(step, object.name, names, didYouMean(step, names));
}

export const stepHistory = defineRecordOperation({
  id: 'pipelines.history',
  summary: 'The steps that a record has left, latest first, and its total time at each step',
  input: Type.Object(
    { object: ObjectName, id: RecordId, limit: recordPage.input, cursor: Cursor },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...PageOf(
      Type.Object({
        id: Id,
        pipeline_id: Nullable(Id),
        pipeline_id_display: Nullable(Type.String()),
        pipeline_step_id: Id,
        pipeline_step_id_display: Nullable(Type.String()),
        entered_at: Nullable(Time),
        left_at: Nullable(Time),
        moved_by: Nullable(Type.Object({ id: Id, display: Type.String() })),
      }),
    ).properties,
    time_in_steps: Type.Array(
      Type.Object({
        pipeline_step_id: Id,
        pipeline_step_id_display: Nullable(Type.String()),
        seconds: Nullable(Type.Integer()),
        is_current: Type.Boolean(),
      }),
    ),
  }),
  needs: 'view',
  ofField: stepField,
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const fields = neededPosition(call, object);
    const id = recordId(object, input.id);
    const page = { limit: recordPage.of(call, input.limit), cursor: input.cursor };
    const found = await stepsPage(call, object, fields, id, page);
    if (!found) throw await missingRecord(call, object, id);
    return pageText(found.page, { time_in_steps: found.times });
  },
});
