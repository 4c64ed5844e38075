/** What RELATION and USERS share: one column that holds the id of something else, shown with what that is called. */
import { aggregates } from './aggregates.ts';
import { isUuid } from '../lib/id.ts';
import { restPrefix } from '../lib/rest-prefix.ts';
import { isObject } from '../lib/json.ts';
import type { Json } from '../lib/json.ts';
import type { Sql } from '../postgres/sql.ts';
import type { FieldDef } from './field-def.ts';
import { FieldProblem, misfit } from './field-problem.ts';
import type { FieldType, ReadScope } from './field-type.ts';
import { displaySchema, idSchema, objectSchema, orNull } from './json-schema.ts';
import { quotedMember, reading, textMember } from './members.ts';
import { columnOf, idOperand } from './operands.ts';
import { operatorsOf } from './operators/by-kind.ts';
import { trimmed } from './types/text.ts';

interface Reference {
  /** Whose id it is: the name of an object, or `user`. */
  target(field: FieldDef): string;
  display(field: FieldDef, id: Sql, scope: ReadScope): Sql;
}

type ReferenceType = Omit<FieldType, 'names' | 'target'> & Required<Pick<FieldType, 'exported'>>;

/** The field type of a reference, but for its name and its target. */
export function reference({ target, display }: Reference): ReferenceType {
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
      const id = { ...idSchema, description: `Id of ${described(target(field))}` };
      return {
        read: { [field.name]: orNull(id), [`${field.name}_display`]: displaySchema },
        write: { anyOf: [id, { ...objectSchema({ id }), additionalProperties: true }] },
      };
    },
    operand: (field, scope) => idOperand(columnOf(scope, field.name)),
    operators: operatorsOf('id'),
    aggregates: aggregates.distinct,
    decode: (value, field) => [value === null ? null : decodeId(value, target(field))],
    fromCell: trimmed,
  };
}

/** The id that a value is or, as it was read, has. `target` is the name of an object, or `user`. Throws FieldProblem that says where to find one. */
export function decodeId(value: Json, target: string): string {
  const id = isObject(value) ? value['id'] : value;
  const words = typeof id === 'string' ? id.trim() : '';
  if (isUuid(id)) return id.toLowerCase();
  const { message } = misfit(`the id of ${described(target)}`, id ?? value);
  throw new FieldProblem(words === '' ? message : `${message}; ${searchFor(words, target)} looks for it`);
}

function described(target: string): string {
  return target === 'user' ? 'a workspace user' : `a record of ${target}`;
}

function searchFor(name: string, target: string): string {
  const words = encodeURIComponent(name.slice(0, 80).toWellFormed());
  return `GET ${restPrefix}/${target === 'user' ? 'users' : `records/${target}`}?search=${words}`;
}
