/** ROLLUP: what the records that lead here add up to, computed when it is read, over those that the caller may see. */
import { ofTheirKind } from '../aggregates.ts';
import { computed } from '../computed.ts';
import type { FieldType } from '../field-type.ts';
import { computedSchema } from '../json-schema.ts';

export const rollup: FieldType = {
  names: ['ROLLUP'],
  ...computed((field, scope) => scope.rollup(field)),
  units: (field, scope) => scope.rollupUnits(field),
  schema({ name, rollup: definition }) {
    if (!ofTheirKind.has(definition?.function ?? '')) return computedSchema(name, 'number');
    // Which it is depends on a field of another object: a number, a day or a time.
    return { read: { [name]: { type: ['number', 'string', 'null'] } } };
  },
};
