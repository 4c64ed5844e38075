/** The metadata of a field. A FieldDef is immutable and belongs to one version of the model. */
import type { Json } from '../lib/json.ts';
import type { Expression } from './expressions/tree.ts';

export const fieldTypeNames = [
  'TEXT',
  'LONG_TEXT',
  'RICH_TEXT',
  'NUMBER',
  'INTEGER',
  'DECIMAL',
  'PERCENT',
  'CURRENCY',
  'RATING',
  'BOOLEAN',
  'DATE',
  'DATETIME',
  'DATE_RANGE',
  'DURATION',
  'ELAPSED_TIME',
  'EMAIL',
  'EMAILS',
  'PHONES',
  'URL',
  'ADDRESS',
  'SELECT',
  'MULTI_SELECT',
  'RELATION',
  'DEPENDENT_RELATION',
  'MORPH_RELATION',
  'MANY_TO_MANY',
  'USERS',
  'PIPELINE',
  'CALCULATED',
  'ROLLUP',
] as const;

/** The API's types [spec: Schema object]; ID, PIPELINE_ID and PIPELINE_STEP_ID are columns that cannot be declared. */
export type FieldTypeName = (typeof fieldTypeNames)[number] | 'ID' | 'PIPELINE_ID' | 'PIPELINE_STEP_ID';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly color?: string;
}

export type RelationType = 'BELONGS_TO_ONE' | 'HAS_MANY' | 'MANY_TO_MANY' | 'MORPH_RELATION';

export interface RelationConfig {
  readonly relationType: RelationType;
  /** MORPH_RELATION: the first target. */
  readonly targetObjectName: string;
  /** MORPH_RELATION: all possible targets. */
  readonly targetObjectNames?: readonly string[];
  /** HAS_MANY: the target's relation back to this object. */
  readonly inverseField?: string;
}

/** A ROLLUP aggregates a field of the records of `objectName` whose `relationField` is this record. */
export interface Rollup {
  readonly objectName: string;
  readonly relationField: string;
  readonly function: string;
  /** Absent where rows are counted. */
  readonly field?: string;
}

export interface Calculation {
  /** As entered. */
  readonly expression: string;
  readonly outputType: FieldTypeName;
  readonly parsed: Expression;
}

export interface FieldDef {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly isRequired: boolean;
  /** Computed or kept by the service: a write may only repeat the stored value. */
  readonly isReadonly: boolean;
  readonly isSearchable: boolean;
  readonly isHidden: boolean;
  readonly isUnique: boolean;
  readonly defaultValue: Json;
  readonly options: readonly Option[] | null;
  readonly relationConfig?: RelationConfig;
  /** MANY_TO_MANY: the fields of a link. */
  readonly junctionFields?: readonly FieldDef[];
  /** MANY_TO_MANY: the table of the links. */
  readonly linkTable?: string;
  readonly calculation?: Calculation;
  readonly rollup?: Rollup;
  /** DEPENDENT_RELATION: the relation of the same object that its target must share. */
  readonly dependsOn?: string;
}
