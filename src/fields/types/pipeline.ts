/**
 * PIPELINE: a record's position in a pipeline. The field itself stores nothing; its parts are the columns
 * `pipeline_id`, `pipeline_step_id` and `pipeline_step_entered_at`, and in filters, sorts and writes its own name
 * means the step.
 */
import { aggregates } from '../aggregates.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject, jsonString } from '../../lib/json.ts';
import type { Json } from '../../lib/json.ts';
import type { FieldDef, FieldTypeName } from '../field-def.ts';
import { FieldProblem, misfit } from '../field-problem.ts';
import type { FieldType, Member, PipelineDef, PipelineOption } from '../field-type.ts';
import { displaySchema, idSchema, orNull } from '../json-schema.ts';
import { quotedMember, reading } from '../members.ts';
import { columnOf, idOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { trimmed } from './text.ts';

export const pipeline: FieldType = {
  names: ['PIPELINE'],
  parts: (field) => [
    part(field, 'pipeline_id', 'Pipeline', 'PIPELINE_ID'),
    part(field, 'pipeline_step_id', 'Pipeline step', 'PIPELINE_STEP_ID'),
    { ...part(field, 'pipeline_step_entered_at', 'Step entered at', 'DATETIME'), isReadonly: true, isRequired: false },
  ],
  columns: () => [],
  read: () => ({ columns: [], members: [] }),
  schema: () => ({
    read: {},
    write: { type: 'string', description: 'Id or name of a step, in place of `pipeline_step_id`' },
  }),
  operand: (_field, scope) => scope.operand('pipeline_step_id'),
  operators: operatorsOf('id'),
  aggregates: aggregates.presence,
  decode() {
    throw new FieldProblem('is stored as pipeline_id and pipeline_step_id');
  },
  fromCell: trimmed,
};

export const pipelineId = optionType('PIPELINE_ID', 'a pipeline', (pipelines) => pipelines);
export const pipelineStepId = optionType('PIPELINE_STEP_ID', 'a step of a pipeline', (pipelines) =>
  pipelines.flatMap((known) => known.steps),
);

/** A part inherits the field's permissions; its id is derived, since history and permissions refer to fields by id. */
function part(field: FieldDef, name: string, label: string, type: FieldTypeName): FieldDef {
  return {
    id: `${field.id}.${name}`,
    name,
    label,
    type,
    isRequired: field.isRequired,
    isReadonly: field.isReadonly,
    isSearchable: false,
    isHidden: field.isHidden,
    isUnique: false,
    defaultValue: null,
    options: null,
  };
}

function optionType(
  name: FieldTypeName,
  described: string,
  optionsOf: (pipelines: readonly PipelineDef[]) => readonly PipelineOption[],
): FieldType {
  return {
    names: [name],
    columns: (field) => [{ name: field.name, type: 'uuid' }],
    read(field, scope) {
      const display = optionMember(`${field.name}_display`, optionsOf(scope.pipelines));
      return { columns: [columnOf(scope, field.name)], members: [quotedMember(field.name), display] };
    },
    exported: (field, scope) =>
      reading(columnOf(scope, field.name), optionMember(field.name, optionsOf(scope.pipelines))),
    schema(field) {
      const id = { ...idSchema, description: `Id of ${described}` };
      return {
        read: { [field.name]: orNull(id), [`${field.name}_display`]: displaySchema },
        write: { type: 'string', description: `Id of ${described}, or its name where only one has it` },
      };
    },
    operand: (field, scope) => idOperand(columnOf(scope, field.name)),
    operators: operatorsOf('id'),
    aggregates: aggregates.distinct,
    pipelineOptions: optionsOf,
    decode: (value, _field, context) => [
      value === null ? null : decodeOption(value, described, optionsOf(context.pipelines)),
    ],
    fromCell: trimmed,
  };
}

/** The name of the pipeline or step whose id the column holds; a deleted one has none. */
export function optionMember(key: string, options: readonly PipelineOption[]): Member {
  const names = new Map(options.map((known) => [known.id, known.name]));
  return {
    key,
    json(row, at) {
      const name = names.get(row[at] ?? '');
      return name === undefined ? 'null' : jsonString(name);
    },
    cell: (row, at) => names.get(row[at] ?? '') ?? '',
  };
}

/** Decodes an id, or a name that is unique among the options. */
function decodeOption(value: Json, described: string, options: readonly PipelineOption[]): string {
  const given = isObject(value) ? value['id'] : value;
  const names = () => [...new Set(options.map((known) => known.name))];
  if (typeof given !== 'string') throw misfit(`the id or the name of ${described}`, given ?? null, names());
  const [only, another] = optionsNamed(given.trim(), options);
  if (only === undefined) throw misfit(`the id or the name of ${described}`, given, names());
  if (another !== undefined) {
    const ids = optionsNamed(given.trim(), options).map(({ id }) => id);
    throw new FieldProblem(`names several: it must be the id of ${described}`, ids);
  }
  return only.id;
}

/** The options that `wanted` means: the one with that id, else those with that exact name, else with that name in any case. */
export function optionsNamed<P extends PipelineOption>(wanted: string, options: readonly P[]): readonly P[] {
  const lower = wanted.toLowerCase();
  if (isUuid(wanted)) return options.filter((known) => known.id === lower);
  const exact = options.filter((known) => known.name === wanted);
  return exact.length > 0 ? exact : options.filter((known) => known.name.toLowerCase() === lower);
}
