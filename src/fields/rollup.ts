/** ROLLUP: what the records that lead here add up to, computed when it is read, over those that the caller may see. */
import { computed } from './computed.ts';
import type { FieldType } from './field-type.ts';
import { computedSchema } from './json-schema.ts';

/** Functions whose outcome is a value of the field that they sum up: a number, a day or a time. */
const ofItsKind: ReadonlySet<string> = new Set(['MIN', 'MAX', 'MEDIAN']);

export const rollup: FieldType = {
  names: ['ROLLUP'],
  ...computed((field, scope) => scope.rollup(field)),
  schema({ name, rollup: definition }) {
    if (!ofItsKind.has(definition?.function ?? '')) return computedSchema(name, 'number');
    return { read: { [name]: { type: ['number', 'string', 'null'] } } };
  },
};
