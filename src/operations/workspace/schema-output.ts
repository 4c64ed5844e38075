/** Objects and fields in the answers of schema endpoints. [spec: Schema object] */
import { Type } from 'typebox';
import { fieldTypeNames } from '../../fields/field-def.ts';
import { Nullable } from '../outputs.ts';

const OptionOut = Type.Object({
  value: Type.String(),
  label: Type.String(),
  color: Type.Optional(Type.String({ examples: ['#94a3b8'] })),
});

const RelationOut = Type.Object({
  relationType: Type.String({ enum: ['BELONGS_TO_ONE', 'HAS_MANY', 'MANY_TO_MANY', 'MORPH_RELATION'] }),
  targetObjectName: Type.String(),
  targetObjectNames: Type.Optional(Type.Array(Type.String())),
  inverseField: Type.Optional(Type.String()),
});

const FieldOut = Type.Object({
  name: Type.String(),
  label: Type.String(),
  type: Type.String({ enum: [...fieldTypeNames] }),
  isRequired: Type.Boolean(),
  isReadonly: Type.Boolean(),
  isSearchable: Type.Boolean(),
  isHidden: Type.Boolean(),
  defaultValue: Nullable(Type.String()),
  isUnique: Type.Boolean(),
  options: Nullable(Type.Array(OptionOut)),
  relationConfig: Type.Optional(RelationOut),
  valueType: Type.Optional(
    Type.String({
      enum: [...fieldTypeNames],
      description: 'Of CALCULATED and ROLLUP: the type of what they give; an amount is a plain number',
    }),
  ),
  dependsOn: Type.Optional(
    Type.String({ description: 'Of DEPENDENT_RELATION: the relation whose record the target belongs to' }),
  ),
});

/** An object in `brief` form. */
export const BriefOut = Type.Object({
  name: Type.String(),
  label: Type.String(),
  fields: Type.Record(Type.String(), Type.String(), { description: 'Types, and what relations lead to, by field' }),
});

export const ObjectOut = Type.Object({
  name: Type.String({ description: 'Plural; the segment of paths' }),
  label: Type.String(),
  labelSingular: Type.String(),
  isSystem: Type.Boolean(),
  isHidden: Type.Boolean(),
  iconName: Nullable(Type.String()),
  color: Nullable(Type.String()),
  fields: Type.Array(FieldOut),
});
