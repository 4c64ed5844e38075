/** An organization's workspace as one immutable snapshot: objects, fields, pipelines, roles. A change makes a new version. */
import type { FieldDef } from '../fields/field-def.ts';
import type { PipelineDef } from '../fields/field-type.ts';
import type { Json } from '../lib/json.ts';

export interface ObjectDef {
  readonly id: string;
  /** Plural; the path segment and the table's name. */
  readonly name: string;
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
}

/** What a role may do with rows: all, none, its own (`owner` or `created_by`), or those that match a FilterGroup. */
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

/** The object of that id, whatever it is called. */
export function objectWithId({ objects }: Model, id: string): ObjectDef | undefined {
  return [...objects.values()].find((object) => object.id === id);
}
