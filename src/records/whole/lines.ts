/** Records as lines of a file: all stored values, with the ids of records, so that nothing is lost. */
import type { Call } from '../../access/call.ts';
import { isObject, parseJson, type JsonObject } from '../../lib/json.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { and, join, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { selectRecord } from '../../query/selection.ts';
import { compileRule, visibleRow } from '../../query/where.ts';
import { storedFields } from './fields.ts';
import { named, type Naming } from './names.ts';

export interface LinesPlan {
  readonly query: Sql;
  /** The line of the row. */
  line(row: Row): JsonObject;
}

/** Private records are their author's alone: a file that others open must not contain them. */
const forAll: FilterGroup = {
  type: 'AND',
  conditions: [{ field: 'visibility', operator: 'equals', value: 'workspace' }],
};

/** Plans the read of the records that the caller may see, in id order: all, or those of `ids`. */
export function planLines(call: Call, naming: Naming, ids?: readonly string[]): LinesPlan {
  const { object } = naming;
  const fields = storedFields(object);
  const selection = selectRecord(
    object,
    call,
    't',
    'read',
    fields.map(({ name }) => name),
  );
  const scope = objectScope(call, object, 't');
  const conditions = [visibleRow(scope)];
  if (ids) conditions.push(sql`t.id = any(${ids}::uuid[])`);
  else if (hasPrivate(object)) conditions.push(compileRule(forAll, scope));
  return {
    query: sql`select ${join(selection.columns, ', ')} from ${call.workspace.table(object.table)} t
      where ${and(conditions)} order by t.id`,
    line(row) {
      const read = parseJson(selection.json(row, 0));
      const values = isObject(read) ? read : {};
      return Object.fromEntries(fields.map((field) => [field.name, named(field, values[field.name] ?? null, naming)]));
    },
  };
}

/** Whether some of the object's records exist only for their author. */
function hasPrivate({ condition }: ObjectDef): boolean {
  return condition !== undefined;
}
