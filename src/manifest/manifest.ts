/** The shape of a manifest. Names and references are checked later, against the resulting workspace. */
import { aggregateNames } from '../fields/aggregates.ts';
import { outputTypes } from '../fields/types/calculated.ts';
import { fieldTypeNames } from '../fields/field-def.ts';
import type { Json } from '../lib/json.ts';
import { currencyProblem, timeZoneProblem } from '../lib/standards.ts';
import { caps } from '../model/caps.ts';
import { fieldNameProblem, junctionNameProblem, objectNameProblem, titleProblem } from './names.ts';
import { otherTypeNames } from './other-types.ts';
import { Problems } from './problems.ts';
import { refuseHugeManifest } from './size.ts';
import {
  anything,
  entries,
  entry,
  flag,
  list,
  nullable,
  oneOf,
  refuseTwice,
  text,
  textThat,
  type Shape,
} from './shape.ts';

type Read<S> = S extends Shape<infer T> ? T : never;

/** As many absent parts as present ones are accepted. */
const withAbsent = (most: number) => 2 * most;

const organizationEntry = entry(
  {},
  {
    name: text(),
    currency: textThat(currencyProblem),
    timezone: textThat(timeZoneProblem),
  },
);

const option = entry({ value: text() }, { label: text(), color: nullable(text(50)) });

const relationConfig = entry(
  {},
  {
    relationType: oneOf(['BELONGS_TO_ONE', 'HAS_MANY', 'MANY_TO_MANY', 'MORPH_RELATION']),
    targetObjectName: text(),
    targetObjectNames: list(text(), 50),
    inverseField: text(),
  },
);

const calculation = entry({ expression: text(5_000), outputType: oneOf(outputTypes) }, {});

const rollup = entry(
  { objectName: text(), relationField: text(), function: oneOf(aggregateNames) },
  { field: nullable(text()) },
);

/** Shared by fields and junction fields. */
const plainKeys = {
  renamedFrom: text(),
  absent: flag,
  label: text(),
  type: oneOf(fieldTypeNames, otherTypeNames),
  isRequired: flag,
  isReadonly: flag,
  isHidden: flag,
  defaultValue: anything,
  options: nullable(list(option, caps.optionsOfField)),
};

const junctionField = entry({ name: textThat(junctionNameProblem) }, plainKeys);

const fieldEntry = entry(
  { name: textThat(fieldNameProblem) },
  {
    ...plainKeys,
    isSearchable: flag,
    isUnique: flag,
    relationConfig,
    dependsOn: nullable(text()),
    junctionFields: list(junctionField, withAbsent(caps.linkFieldsOfField)),
    calculation,
    rollup,
  },
);

const objectEntry = entry(
  { name: textThat(objectNameProblem) },
  {
    renamedFrom: text(),
    absent: flag,
    label: text(),
    labelSingular: text(),
    iconName: nullable(text()),
    color: nullable(text(50)),
    isHidden: flag,
    displayField: text(),
    fields: list(fieldEntry, caps.fieldsOfObject),
  },
);

const question = entry(
  { linked_field_name: text() },
  { required_for_next_stage: flag, required_for_closure: flag, is_forced_value: flag },
);

const stepEntry = entry(
  { name: textThat(titleProblem) },
  {
    renamedFrom: text(),
    absent: flag,
    kind: oneOf(['ongoing', 'won', 'lost']),
    questions: list(question, caps.questionsOfStep),
    forced_values: entries(anything),
    default_values: entries(anything),
  },
);

const pipelineEntry = entry(
  { name: textThat(titleProblem), objectName: text() },
  { renamedFrom: text(), absent: flag, isDefault: flag, steps: list(stepEntry, withAbsent(caps.stepsOfPipeline)) },
);

/** FilterGroups are parsed once the model is known. */
const rowRule: Shape<Json> = (value, place, problems) => {
  if (value === 'all' || value === 'own' || value === 'none') return value;
  if (typeof value === 'object' && value !== null) return value;
  problems.add(place, 'must be all, own, none or a FilterGroup');
  return undefined;
};

const permission = entry(
  {},
  {
    view: rowRule,
    create: flag,
    update: rowRule,
    delete: rowRule,
    fields: entries(oneOf(['read', 'none'])),
  },
);

const roleEntry = entry(
  { name: textThat(titleProblem) },
  { renamedFrom: text(), absent: flag, isAdmin: flag, permissions: entries(permission) },
);

const manifest = entry(
  {},
  {
    organization: organizationEntry,
    objects: list(objectEntry),
    pipelines: list(pipelineEntry),
    roles: list(roleEntry),
  },
);

export type Manifest = Read<typeof manifest>;
export type ObjectEntry = Read<typeof objectEntry>;
export type FieldEntry = Read<typeof fieldEntry>;
export type JunctionEntry = Read<typeof junctionField>;
export type PipelineEntry = Read<typeof pipelineEntry>;
export type StepEntry = Read<typeof stepEntry>;
export type RoleEntry = Read<typeof roleEntry>;
export type PermissionValue = Read<typeof permission>;

/** Reads a manifest. Throws VALIDATION_ERROR with every mistake and its place, such as `objects[0].fields[2].options[1].value`. */
export function readManifest(value: Json): Manifest {
  refuseHugeManifest(value);
  return readWith(new Problems(), value);
}

/** As `readManifest`, for a whole workspace, which may be larger than one manifest. */
export function readWhole(value: Json): Manifest {
  return readWith(new Problems({ boundsLists: false }), value);
}

function readWith(problems: Problems, value: Json): Manifest {
  const read = manifest(value, '', problems);
  for (const object of read?.objects ?? []) {
    for (const field of object.fields ?? []) {
      refuseTwice(field.options ?? [], 'value', problems);
      refuseTwice(field.junctionFields ?? [], 'name', problems);
      for (const junction of field.junctionFields ?? []) refuseTwice(junction.options ?? [], 'value', problems);
    }
    refuseTwice(object.fields ?? [], 'name', problems);
  }
  for (const pipeline of read?.pipelines ?? []) refuseTwice(pipeline.steps ?? [], 'name', problems);
  refuseTwice(read?.objects ?? [], 'name', problems);
  refuseTwice(read?.roles ?? [], 'name', problems);
  refuseTwice(read?.pipelines ?? [], 'name', problems, (item) => JSON.stringify([item['objectName'], item['name']]));
  problems.refuse();
  if (read === undefined) throw new Error('A manifest without problems was not read');
  return read;
}
