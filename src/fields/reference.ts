/** Shared by RELATION and USERS: one column with an id, shown with the label of its target. */
import { aggregates } from './aggregates.ts';
import { isUuid } from '../lib/id.ts';
import { restPrefix } from '../lib/url-paths.ts';
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
  /** The target's object name, or `user`. */
  target(field: FieldDef): string;
  display(field: FieldDef, id: Sql, scope: ReadScope): Sql;
}

type ReferenceType = Omit<FieldType, 'names' | 'target'> & Required<Pick<FieldType, 'exported'>>;

/** The field type of a reference, without its name and target. */
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

/**
 * The id in a value, which may be in the form in which it is read. `target` is an object's name, or `user`. Throws
 * FieldProblem, which says where to find an id.
 */
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
