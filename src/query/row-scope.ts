/** A row of an object inside a statement: what its fields are as SQL, and which objects have been read to say so. */
import type { FieldDef } from '../fields/field-def.ts';
import type { RowScope } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { identifier, sql, trusted, type Sql } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import type { QueryContext } from './context.ts';

export interface ObjectScope extends RowScope {
  readonly context: QueryContext;
  readonly object: ObjectDef;
  /** This program's own name for the row; what is nested below it makes longer ones. */
  readonly alias: string;
  /** Ids of the objects whose rows decide what the fragments say: a remembered total holds while none of them changes. */
  readonly reads: Set<string>;
}

/** A scope for the row that the statement calls `alias`. */
export function objectScope(
  context: QueryContext,
  object: ObjectDef,
  alias: string,
  reads: Set<string> = new Set(),
): ObjectScope {
  reads.add(object.id);
  const scope: ObjectScope = {
    context,
    object,
    alias,
    reads,
    row: trusted(alias),
    operand(fieldName) {
      const field = resolveAttribute(object, fieldName);
      if (!field) throw new Error(`${object.name} has no field ${fieldName}`);
      return fieldType(field.type).operand(field, scope);
    },
    linkedIds(field) {
      const { link, from } = linkRows(scope, field);
      return sql`array(select ${link}.target_id ${from})`;
    },
  };
  return scope;
}

/** The row that a link or a relation leads to, seen from `scope`; its reads count there. */
export function scopeBeyond(scope: ObjectScope, object: ObjectDef): ObjectScope {
  return objectScope(scope.context, object, `${scope.alias}_x`, scope.reads);
}

/** The links of a MANY_TO_MANY from `scope`'s row, as a `from … where …`; like a RELATION, a link outlasts what it leads to. */
export function linkRows(scope: ObjectScope, field: FieldDef): { link: Sql; from: Sql } {
  if (!field.linkTable) throw new Error(`${field.name} has no links`);
  const link = trusted(`${scope.alias}_link`);
  const table = tableOf(scope.context.model, field.linkTable);
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
