/** What the metadata says of one field. A FieldDef is immutable and belongs to one version of the model. */
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

/** The interface's own types [spec: Schema object]; ID, PIPELINE_ID and PIPELINE_STEP_ID are columns that no caller declares. */
export type FieldTypeName = (typeof fieldTypeNames)[number] | 'ID' | 'PIPELINE_ID' | 'PIPELINE_STEP_ID';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly color?: string;
}

export type RelationType = 'BELONGS_TO_ONE' | 'HAS_MANY' | 'MANY_TO_MANY' | 'MORPH_RELATION';

export interface RelationConfig {
  readonly relationType: RelationType;
  /** MORPH_RELATION: the first of its targets. */
  readonly targetObjectName: string;
  /** MORPH_RELATION: every object that it may point to. */
  readonly targetObjectNames?: readonly string[];
  /** HAS_MANY: the target's relation that leads back here. */
  readonly inverseField?: string;
}

/** What a ROLLUP sums up: a function over a field of the records of `objectName` whose `relationField` is this record. */
export interface Rollup {
  readonly objectName: string;
  readonly relationField: string;
  readonly function: string;
  /** Absent where only rows are counted. */
  readonly field?: string;
}

export interface Calculation {
  /** As it was written. */
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
  /** MANY_TO_MANY: what a link itself carries. */
  readonly junctionFields?: readonly FieldDef[];
  /** MANY_TO_MANY: the table of its links. */
  readonly linkTable?: string;
  readonly calculation?: Calculation;
  readonly rollup?: Rollup;
  /** DEPENDENT_RELATION: the relation of the same object that its target must share. */
  readonly dependsOn?: string;
}
