/** ROLLUP: an aggregate of the visible records that lead here, computed on reading. */
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
    // The result's type depends on a field of another object: a number, a day or a time.
    return { read: { [name]: { type: ['number', 'string', 'null'] } } };
  },
};
