/** Which operators a filter offers for a field: those of the kind of value that it has. */
import { describe, expect, it } from 'vitest';
import { functionsOf, isTime } from '../../web/src/dashboards/chart-choices.ts';
import { kindOf } from '../../web/src/records/filter/operators.ts';

describe('computed fields', () => {
  it.each([
    ['CALCULATED', 'TEXT', 'text'],
    ['CALCULATED', 'BOOLEAN', 'yes'],
    ['CALCULATED', 'DATE', 'date'],
    ['CALCULATED', 'CURRENCY', 'number'],
    ['ROLLUP', 'DATETIME', 'date'],
    ['ROLLUP', 'INTEGER', 'number'],
  ] as const)('%s of %s compares with a %s', (type, valueType, kind) => {
    expect(kindOf({ type, valueType })).toBe(kind);
  });

  it('are summed up as what they give', () => {
    expect(functionsOf({ type: 'CALCULATED', valueType: 'DECIMAL' })).toContain('SUM');
    expect(functionsOf({ type: 'CALCULATED', valueType: 'TEXT' })).not.toContain('SUM');
    expect(isTime({ type: 'ROLLUP', valueType: 'DATE' })).toBe(true);
    expect(isTime({ type: 'ROLLUP', valueType: 'NUMBER' })).toBe(false);
  });
});
