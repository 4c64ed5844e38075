/** A RELATION of relationType HAS_MANY: the records of another object whose relation leads here. It stores nothing. */
import { sql } from '../../postgres/sql.ts';
import { FieldProblem } from '../field-problem.ts';
import type { FieldType } from '../field-type.ts';
import { displaySchema, idSchema, objectSchema } from '../json-schema.ts';
import { reading, recordsMember } from '../members.ts';

export const hasMany: Pick<FieldType, 'columns' | 'read' | 'schema' | 'operand' | 'decode'> = {
  columns: () => [],
  read: (field, scope) => reading(scope.related(field), recordsMember(field.name)),
  schema(field) {
    const related = objectSchema({ id: idSchema, display: displaySchema });
    return { read: { [field.name]: { type: 'array', items: related, maxItems: 100 } } };
  },
  operand: () => ({ kind: 'none', value: sql`null` }),
  decode() {
    throw new FieldProblem('is made of the records that point here');
  },
};
