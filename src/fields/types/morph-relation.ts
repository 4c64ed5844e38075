/**
 * MORPH_RELATION: the id of a record of one of several objects, and that object's name. Filters and sorts use the id.
 */
import { aggregates } from '../aggregates.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject } from '../../lib/json.ts';
import type { Json } from '../../lib/json.ts';
import type { Cell } from '../../postgres/database.ts';
import { join, literal, sql } from '../../postgres/sql.ts';
import type { Sql } from '../../postgres/sql.ts';
import { jsonInCell } from '../cell-text.ts';
import type { FieldDef } from '../field-def.ts';
import { echoed, FieldProblem, misfit, refuseOtherKeys } from '../field-problem.ts';
import type { FieldType, ReadScope } from '../field-type.ts';
import { displaySchema, idSchema, objectSchema, orNull } from '../json-schema.ts';
import { reading, textMember } from '../members.ts';
import { columnOf, idOperand } from '../operands.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { decodeId } from '../reference.ts';

export const morphRelation: FieldType = {
  names: ['MORPH_RELATION'],
  relationTypes: ['MORPH_RELATION'],
  columns: (field) => [
    { name: field.name, type: 'uuid' },
    { name: objectColumn(field.name), type: 'text collate "C"' },
  ],
  read: (field, scope) => ({
    columns: [columnOf(scope, field.name), columnOf(scope, objectColumn(field.name)), displayOf(field, scope)],
    members: [
      {
        key: field.name,
        json: (row, at) => (row[at] === null ? 'null' : `{"object":"${row[at + 1]}","id":"${row[at]}"}`),
        cell: (row, at) => (row[at] === null ? '' : `${row[at + 1]}:${row[at]}`),
      },
      textMember(`${field.name}_display`, 2),
    ],
  }),
  exported: (field, scope) => reading(displayOf(field, scope), textMember(field.name)),
  schema(field) {
    const target = { object: { type: 'string', enum: targetsOf(field) }, id: idSchema } as const;
    return {
      read: { [field.name]: orNull(objectSchema(target)), [`${field.name}_display`]: displaySchema },
      write: objectSchema(target),
    };
  },
  operand: (field, scope) => idOperand(columnOf(scope, field.name)),
  operators: operatorsOf('id'),
  aggregates: aggregates.distinct,
  decode: (value, field) => (value === null ? [null, null] : decodeMorph(value, field)),
  fromCell(text, field) {
    const cell = text.trim();
    return cell === '' ? null : (jsonInCell(cell) ?? morphFromCell(cell, field));
  },
  target: (field) => ({ objects: targetsOf(field) }),
};

function objectColumn(name: string): string {
  return `${name}__object`;
}

function targetsOf({ name, relationConfig }: FieldDef): readonly string[] {
  if (!relationConfig) throw new Error(`${name} has no relationConfig`);
  return relationConfig.targetObjectNames ?? [relationConfig.targetObjectName];
}

function displayOf(field: FieldDef, scope: ReadScope): Sql {
  const id = columnOf(scope, field.name);
  const cases = targetsOf(field).map((object) => sql`when ${literal(object)} then ${scope.display(object, id)}`);
  return sql`case ${columnOf(scope, objectColumn(field.name))} ${join(cases, ' ')} end`;
}

function decodeMorph(value: Json, field: FieldDef): readonly Cell[] {
  const targets = targetsOf(field);
  if (!isObject(value)) throw misfit('{ object, id }', value);
  refuseOtherKeys(value, ['object', 'id'], ['display']);
  const { object = null, id = null } = value;
  if (typeof object !== 'string' || !targets.includes(object)) {
    throw new FieldProblem(`must name one of its objects as object, not ${echoed(object)}`, targets);
  }
  return [decodeId(id, object), object];
}

/**
 * Parses `contacts:Anna` or `contacts:<id>`; without an object the cell is a label, as in an export. An import looks
 * labels up.
 */
function morphFromCell(cell: string, field: FieldDef): Json {
  const colon = cell.indexOf(':');
  const object = targetsOf(field).find((name) => name === cell.slice(0, colon).trim());
  const named = object === undefined ? cell : cell.slice(colon + 1).trim();
  return { ...(object !== undefined && { object }), ...(isUuid(named) ? { id: named } : { display: named }) };
}
