/** An organization's workspace as one immutable snapshot: objects, fields, pipelines, roles. A change makes a new version. */
import type { FieldDef } from '../fields/field-def.ts';
import type { PipelineDef } from '../fields/field-type.ts';
import type { Json } from '../lib/json.ts';

/**
 * Who writes an object: `custom` and `builtIn` ones by the operations on records; `managed` ones by operations of their own, in
 * tables that are made from metadata all the same; `internal` ones by the service itself, in tables that migrations make.
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
  /** The field that names a record of this object. */
  readonly displayField: string;
  /** The fields that the schema shows, in order. */
  readonly fields: readonly FieldDef[];
  /** Whatever a filter, a sort or a write can name: fields, their parts, `id`. In the order in which a record shows them. */
  readonly attributes: ReadonlyMap<string, FieldDef>;
  /** A row is a user's own where one of these fields names that user. */
  readonly ownFields: readonly string[];
  /** The rows that there are for a caller, whatever its role: no role lifts this. Absent where roles alone decide. */
  readonly condition?: RowCondition;
}

/** What a role may do with rows: all, none, its own (by the object's `ownFields`), or those that match a FilterGroup. */
export type RowRule = 'all' | 'own' | 'none' | FilterGroup;

/** One entry of a role's permissions; a key that neither the object's entry nor `*` names is `none`. */
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

/** A FilterGroup that can also look at other rows. `$me` stands for the caller. */
export interface RowCondition {
  readonly type: 'AND' | 'OR';
  readonly conditions: readonly (FilterCondition | Sight | RowCondition)[];
}

/** Holds where the caller may see one of the records that the field leads to: a relation, a MANY_TO_MANY or a HAS_MANY. */
export interface Sight {
  readonly sees: string;
}

export interface Model {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The PostgreSQL schema that holds the organization; every statement names it. */
  readonly schema: string;
  /** Raised by every change of metadata or roles. */
  readonly version: string;
  /** Changed by a restore or a move: what was remembered under another epoch does not count. */
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
