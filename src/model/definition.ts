/**
 * Stored metadata: the JSON of `_objects`, `_fields`, `_pipelines`, `_pipeline_steps` and `_roles`. `build.ts` reads
 * it.
 */
import type { FieldTypeName, Option, RelationConfig, Rollup } from '../fields/field-def.ts';
import type { PipelineStepDef, StepQuestion } from '../fields/field-type.ts';
import type { Json } from '../lib/json.ts';
import type { ObjectDef, PermissionEntry, RowCondition } from './model.ts';

/** `_objects.definition`. */
export interface ObjectDefinition {
  readonly label: string;
  readonly labelSingular: string;
  readonly isSystem: boolean;
  readonly isHidden?: boolean;
  readonly iconName: string | null;
  readonly color: string | null;
  readonly displayField: string;
  /** Defaults to built-in or custom. */
  readonly kind?: Extract<ObjectDef['kind'], 'managed' | 'internal'>;
  /** Defaults to the object's name. */
  readonly table?: string;
  /** Defaults to `owner` and `created_by`. */
  readonly ownFields?: readonly string[];
  readonly condition?: RowCondition;
}

/** `_fields.definition`; omitted keys are false, null or absent in the FieldDef. */
export interface FieldDefinition {
  readonly label: string;
  readonly type: FieldTypeName;
  readonly isRequired?: boolean;
  readonly isReadonly?: boolean;
  readonly isSearchable?: boolean;
  readonly isHidden?: boolean;
  readonly isUnique?: boolean;
  readonly defaultValue?: Json;
  readonly options?: readonly Option[];
  readonly relationConfig?: RelationConfig;
  readonly junctionFields?: readonly StoredField[];
  readonly calculation?: { readonly expression: string; readonly outputType: FieldTypeName };
  readonly rollup?: Rollup;
  readonly dependsOn?: string;
}

export interface StoredField {
  readonly id: string;
  readonly name: string;
  readonly definition: FieldDefinition;
}

export interface StoredObject {
  readonly id: string;
  readonly name: string;
  readonly definition: ObjectDefinition;
  /** By position. */
  readonly fields: readonly StoredField[];
}

/** `_pipeline_steps.definition`; omitted keys are empty in the PipelineStepDef. Values are keyed by field name. */
export interface StepDefinition {
  readonly kind: PipelineStepDef['kind'];
  readonly questions?: readonly StepQuestion[];
  readonly forced_values?: Readonly<Record<string, Json>>;
  readonly default_values?: Readonly<Record<string, Json>>;
}

export interface StoredStep {
  readonly id: string;
  readonly name: string;
  readonly order_index: number;
  readonly definition: StepDefinition;
}

export interface StoredPipeline {
  readonly id: string;
  readonly object_id: string;
  readonly name: string;
  readonly is_default: boolean;
  /** By `order_index`. */
  readonly steps: readonly StoredStep[];
}

export interface StoredRole {
  readonly id: string;
  readonly name: string;
  readonly is_admin: boolean;
  readonly permissions: Readonly<Record<string, PermissionEntry>>;
}

/** Everything that a Model is built from, each list in order of position. */
export interface StoredModel {
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
  readonly version: string;
  readonly epoch: string;
  readonly objects: readonly StoredObject[];
  readonly pipelines: readonly StoredPipeline[];
  readonly roles: readonly StoredRole[];
}

/** Where an organization is stored. */
export interface OrganizationRef {
  readonly id: string;
  readonly schema: string;
}
