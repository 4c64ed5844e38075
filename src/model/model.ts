/** An organization's workspace as one immutable snapshot: objects, fields, pipelines, roles. A change makes a new version. */
import type { FieldDef } from '../fields/field-def.ts';
import type { PipelineDef } from '../fields/field-type.ts';
import type { Json } from '../lib/json.ts';

/**
 * Who writes an object: `custom` and `builtIn` ones through the record operations; `managed` ones through operations
 * of their own, in tables made from metadata; `internal` ones by the service itself, in tables made by migrations.
 */
export type ObjectKind = 'custom' | 'builtIn' | 'managed' | 'internal';

export interface ObjectDef {
  readonly id: string;
  readonly kind: ObjectKind;
  /** Plural; the path segment. */
  readonly name: string;
  /** Has `id`, `created_at`, `updated_at`, `deleted_at` and the columns of the fields. */
  readonly table: string;
  readonly label: string;
  readonly labelSingular: string;
  readonly isSystem: boolean;
  readonly isHidden: boolean;
  readonly iconName: string | null;
  readonly color: string | null;
  /** The field with a record's label. */
  readonly displayField: string;
  /** The fields in the schema's order. */
  readonly fields: readonly FieldDef[];
  /** All names for filters, sorts and writes: fields, their parts, and `id`, in record order. */
  readonly attributes: ReadonlyMap<string, FieldDef>;
  /** A user owns a row that one of these fields links to that user. */
  readonly ownFields: readonly string[];
  /** The rows that exist for a caller, whatever the role. Absent where roles alone decide. */
  readonly condition?: RowCondition;
}

/** A role's rule for rows: all, none, own (by the object's `ownFields`), or those that match a FilterGroup. */
export type RowRule = 'all' | 'own' | 'none' | FilterGroup;

/** One entry of a role's permissions; a key in neither the object's entry nor `*` means `none`. */
export interface PermissionEntry {
  readonly view?: RowRule;
  readonly create?: boolean;
  readonly update?: RowRule;
  readonly delete?: RowRule;
  readonly fields?: Readonly<Record<string, 'read' | 'none'>>;
}

export interface RoleDef {
  readonly id: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly permissions: ReadonlyMap<string, PermissionEntry>;
}

/** [spec: FilterGroup and FilterCondition] */
export interface FilterGroup {
  readonly type: 'AND' | 'OR';
  readonly conditions: readonly (FilterCondition | FilterGroup)[];
}

export interface FilterCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: Json;
}

/** A FilterGroup that can also test other rows. `$me` stands for the caller. */
export interface RowCondition {
  readonly type: 'AND' | 'OR';
  readonly conditions: readonly (FilterCondition | Sight | RowCondition)[];
}

/** Holds where the caller may see a record that the field leads to: a relation, a MANY_TO_MANY or a HAS_MANY. */
export interface Sight {
  readonly sees: string;
}

export interface Model {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The PostgreSQL schema that holds the organization; every statement names it. */
  readonly schema: string;
  /** Incremented by every change of metadata or roles. */
  readonly version: string;
  /** Changed by a restore or a move, which invalidates everything cached under the old one. */
  readonly epoch: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly objects: ReadonlyMap<string, ObjectDef>;
  readonly pipelines: readonly PipelineDef[];
  /** By id. */
  readonly roles: ReadonlyMap<string, RoleDef>;
}

/** Whether the object's records are read and written by the operations on records. */
export function hasRecords({ kind }: ObjectDef): boolean {
  return kind === 'custom' || kind === 'builtIn';
}

/** The object of that id, whatever it is called. */
export function objectWithId({ objects }: Model, id: string): ObjectDef | undefined {
  return [...objects.values()].find((object) => object.id === id);
}
