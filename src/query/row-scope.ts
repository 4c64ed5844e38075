/** A row of an object inside a statement, and how it leads to other rows. */
import type { FieldDef } from '../fields/field-def.ts';
import type { RowScope } from '../fields/field-type.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { identifier, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';

export interface ObjectScope extends RowScope {
  readonly context: QueryContext;
  readonly object: ObjectDef;
  /** The row's alias; nested rows have longer ones. */
  readonly alias: string;
  /** Ids of the objects whose rows affect the SQL: a cached total holds while none of them changes. */
  readonly reads: Set<string>;
  /** A row of another object under `alias` in the same statement; its reads count here. */
  beyond(object: ObjectDef, alias: string): ObjectScope;
  /**
   * The same row as a role's rule sees it: with all fields, and with aggregates over all rows that exist for the
   * caller.
   */
  asRule(): ObjectScope;
}

/** The row that a link or a relation leads to from `scope`; its reads count there. */
export function scopeBeyond(scope: ObjectScope, object: ObjectDef): ObjectScope {
  return scope.beyond(object, `${scope.alias}_x`);
}

/**
 * The links of a MANY_TO_MANY from `scope`'s row, as `from … where …`; a link, like a RELATION, may outlive its
 * target.
 */
export function linkRows(scope: ObjectScope, field: FieldDef): { link: Sql; from: Sql } {
  if (!field.linkTable) throw new Error(`${field.name} has no links`);
  const link = trusted(`${scope.alias}_link`);
  const table = scope.context.linkTables?.get(field.id) ?? tableOf(scope.context.model, field.linkTable);
  return { link, from: sql`from ${table} ${link} where ${link}.source_id = ${scope.row}.id` };
}

/** The object that a relation points to. */
export function relatedObject(model: Model, field: FieldDef): ObjectDef | undefined {
  return field.relationConfig && model.objects.get(field.relationConfig.targetObjectName);
}

/** A table of the organization, qualified. */
export function tableOf(model: Model, name: string): Sql {
  return identifier(model.schema, name);
}
