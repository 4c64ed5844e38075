/** What RELATION and USERS share: one column that holds the id of something else, shown with what that is called. */
import { aggregates } from './aggregates.ts';
import { isUuid } from '../lib/id.ts';
import { isObject } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';
import type { Sql } from '../postgres/sql.ts';
import type { FieldDef } from './field-def.ts';
import { FieldProblem } from './field-problem.ts';
import type { FieldType, ReadScope } from './field-type.ts';
import { displaySchema, idSchema, objectSchema, orNull } from './json-schema.ts';
import { quotedMember, reading, textMember } from './members.ts';
import { columnOf, idOperand } from './operands.ts';
import { operatorsOf } from './operators/by-kind.ts';
import { trimmed } from './text.ts';

interface Reference {
  /** What an id must be the id of: `a record of companies`. */
  described(field: FieldDef): string;
  display(field: FieldDef, id: Sql, scope: ReadScope): Sql;
}

type ReferenceType = Omit<FieldType, 'names' | 'target'> & Required<Pick<FieldType, 'exported'>>;

/** The field type of a reference, but for its name and its target. */
export function reference({ described, display }: Reference): ReferenceType {
  return {
    columns: (field) => [{ name: field.name, type: 'uuid' }],
    read(field, scope) {
      const id = columnOf(scope, field.name);
      return {
        columns: [id, display(field, id, scope)],
        members: [quotedMember(field.name), textMember(`${field.name}_display`, 1)],
      };
    },
    exported: (field, scope) => reading(display(field, columnOf(scope, field.name), scope), textMember(field.name)),
    schema(field) {
      const id = { ...idSchema, description: `Id of ${described(field)}` };
      return {
        read: { [field.name]: orNull(id), [`${field.name}_display`]: displaySchema },
        write: { anyOf: [id, { ...objectSchema({ id }), additionalProperties: true }] },
      };
    },
    operand: (field, scope) => idOperand(columnOf(scope, field.name)),
    operators: operatorsOf('id'),
    aggregates: aggregates.distinct,
    decode: (value, field) => [value === null ? null : decodeId(value, () => described(field))],
    fromCell: trimmed,
  };
}

/** The id that a value is or, as it was read, has. Throws FieldProblem. */
export function decodeId(value: Json, described: () => string): string {
  const id = isObject(value) ? value['id'] : value;
  if (!isUuid(id)) throw new FieldProblem(`must be the id of ${described()}`);
  return id.toLowerCase();
}
