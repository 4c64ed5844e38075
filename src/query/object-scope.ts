/** Creates scopes: the fields of a row as SQL, and the objects read for them. */
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import { sql, trusted } from '../postgres/sql.ts';
import { resolveAttribute } from './attributes.ts';
import { contextWith, type QueryContext, type Visibility } from './context.ts';
import { rollupOf, unitsOfRollup } from './rollup.ts';
import { linkRows, type ObjectScope } from './row-scope.ts';

/** A scope for the row with that alias in the statement. */
export function objectScope(
  context: QueryContext,
  object: ObjectDef,
  alias: string,
  reads: Set<string> = new Set(),
): ObjectScope {
  reads.add(object.id);
  return scopeOf(context, object, alias, reads);
}

function scopeOf(context: QueryContext, object: ObjectDef, alias: string, reads: Set<string>): ObjectScope {
  const scope: ObjectScope = {
    context,
    object,
    alias,
    reads,
    row: trusted(alias),
    clock: {
      get now() {
        return context.now; // a getter: SQL that reads the time must not be cached
      },
      timeZone: context.model.timeZone,
    },
    operand(fieldName) {
      const field = resolveAttribute(object, fieldName);
      if (!field) throw new Error(`${object.name} has no field ${fieldName}`);
      return fieldType(field.type).operand(field, scope);
    },
    units(fieldName) {
      const field = resolveAttribute(object, fieldName);
      return (field && fieldType(field.type).units?.(field, scope)) ?? [];
    },
    linkedIds(field) {
      const { link, from } = linkRows(scope, field);
      return sql`array(select ${link}.target_id ${from})`;
    },
    rollup: (field) => rollupOf(field, scope),
    rollupUnits: (field) => unitsOfRollup(field, scope),
    beyond: (there, name) => objectScope(context, there, name, reads),
    asRule: () => scopeOf(contextWith(context, { visibility: everything, isRule: true }), object, alias, reads),
  };
  return scope;
}

/** Rules see everything: if they applied to each other, a parent's and a child's could recurse without end. */
const everything: Visibility = { rows: () => 'all', shows: () => true };
