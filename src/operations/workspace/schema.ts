/** [spec: Schema] Objects and fields that the caller may see. */
import { Type } from 'typebox';
import type { FieldDef } from '../../fields/field-def.ts';
import { mayKnow, type Policies } from '../../access/policies.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import { valueTypeOf } from '../../query/value-type.ts';
import { unknownObject } from '../../records/reading/named.ts';
import { ObjectName } from '../inputs.ts';
import { defineOperation } from '../door/operation.ts';
import { BriefOut, ObjectOut } from './schema-output.ts';

export const listSchema = defineOperation({
  id: 'schema.list',
  summary: 'All objects with their fields',
  input: Type.Object(
    {
      include_hidden: Type.Optional(Type.Boolean()),
      brief: Type.Optional(
        Type.Boolean({ description: 'Of each object its names, and the types of its fields by name' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    objects: Type.Array(Type.Union([ObjectOut, BriefOut])),
    enums: Type.Array(Type.Unknown(), { maxItems: 0 }),
  }),
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run({ model, visibility, workspace }, input) {
    await workspace.read();
    const known = [...model.objects.values()].filter((object) => mayKnow(object, visibility));
    const objects = known.filter((object) => input.include_hidden || !(object.isHidden || object.kind === 'internal'));
    const describe = (object: ObjectDef) =>
      input.brief ? briefObject(object, visibility) : schemaObject(object, visibility, model);
    return { objects: await mapInSlices<ObjectDef, object>(objects, describe), enums: [] };
  },
});

export const getObjectSchema = defineOperation({
  id: 'schema.get',
  summary: 'One object with its fields',
  input: Type.Object({ object: ObjectName }, { additionalProperties: false }),
  output: ObjectOut,
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run({ model, visibility, workspace }, input) {
    await workspace.read();
    const object = model.objects.get(input.object);
    if (!object || !mayKnow(object, visibility)) throw unknownObject(model, visibility, input.object);
    return schemaObject(object, visibility, model);
  },
});

function schemaObject(object: ObjectDef, visibility: Policies, model: Model) {
  const { kind, name, label, labelSingular, isSystem, isHidden, iconName, color } = object;
  const shows = (field: string) => visibility.shows(name, field);
  const fields = object.fields
    .filter((field) => shows(field.name))
    .map((field) => ({ ...schemaField(field), ...madeOf(model, field, shows) }));
  return { name, label, labelSingular, isSystem, isHidden: isHidden || kind === 'internal', iconName, color, fields };
}

/** The minimum needed to query the object's records. */
function briefObject({ name, label, fields }: ObjectDef, visibility: Policies) {
  const shown = fields.filter((field) => visibility.shows(name, field.name));
  return { name, label, fields: Object.fromEntries(shown.map((field) => [field.name, briefType(field)])) };
}

/** The type, with the target of a relation. */
function briefType({ type, relationConfig }: FieldDef): string {
  return relationConfig?.targetObjectName === undefined ? type : `${type} ${relationConfig.targetObjectName}`;
}

/** The type of a derived field's values, and the relation it depends on, if visible. */
function madeOf(model: Model, field: FieldDef, shows: (name: string) => boolean) {
  const valueType = valueTypeOf(model, field);
  const { dependsOn } = field;
  return { ...(valueType && { valueType }), ...(dependsOn !== undefined && shows(dependsOn) && { dependsOn }) };
}

function schemaField(field: FieldDef) {
  const {
    name,
    label,
    type,
    isRequired,
    isReadonly,
    isSearchable,
    isHidden,
    defaultValue,
    isUnique,
    options,
    relationConfig,
  } = field;
  return {
    name,
    label,
    type,
    isRequired,
    isReadonly,
    isSearchable,
    isHidden,
    defaultValue:
      defaultValue === null || typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue),
    isUnique,
    options,
    ...(relationConfig && { relationConfig }),
  };
}
