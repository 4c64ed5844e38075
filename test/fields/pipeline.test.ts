import { describe, expect, it } from 'vitest';
import type { FieldTypeName } from '../../src/fields/field-def.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { decodeContext, testField } from './samples/sample.ts';
import { scopeOf } from './stand.ts';

describe('PIPELINE', () => {
  const type = fieldType('PIPELINE');
  const field = testField('PIPELINE', 'pipeline', { isHidden: true });

  it('stands for three columns and stores nothing itself', () => {
    const parts = type.parts?.(field) ?? [];
    expect(parts.map((part) => [part.name, part.type, part.isReadonly, part.isHidden])).toEqual([
      ['pipeline_id', 'PIPELINE_ID', false, true],
      ['pipeline_step_id', 'PIPELINE_STEP_ID', false, true],
      ['pipeline_step_entered_at', 'DATETIME', true, true],
    ]);
    expect(new Set([field.id, ...parts.map((part) => part.id)]).size).toBe(4);
    expect(type.columns(field)).toEqual([]);
    expect(type.read(field, scopeOf('r')).members).toEqual([]);
    expect(() => type.decode('x', field, decodeContext)).toThrow('is stored as');
  });

  it('means its step in filters and sorts', () => {
    const asked: string[] = [];
    const scope = scopeOf('r');
    const step = fieldType('PIPELINE_STEP_ID').operand(testField('PIPELINE_STEP_ID', 'pipeline_step_id'), scope);
    const operand = type.operand(field, { ...scope, operand: (name) => (asked.push(name), step) });
    expect(operand).toBe(step);
    expect(asked).toEqual(['pipeline_step_id']);
    expect(type.operators).toBe(fieldType('PIPELINE_STEP_ID').operators);
  });
});

describe('the registry', () => {
  it('has no type under a name that it does not know', () => {
    expect(() => fieldType('NOTHING' as FieldTypeName)).toThrow('No field type NOTHING');
  });
});
