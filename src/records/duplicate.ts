/** A value that must be unique is taken; who has it is looked up once the transaction is over. */
import type { FieldDef } from '../fields/field-def.ts';
import { fieldOfUniqueIndex } from '../model/names.ts';
import type { ObjectDef } from '../model/model.ts';

export class Duplicate extends Error {
  readonly field: FieldDef;
  /** Which values, where the refusal says so. */
  readonly values: readonly string[] | undefined;
  constructor(field: FieldDef, values?: readonly string[]) {
    super(`${field.name} is taken`);
    this.field = field;
    this.values = values;
  }
}

/** The Duplicate that an error is, or that a unique index's refusal means; undefined when the error is another one. */
export function duplicateIn(object: ObjectDef, error: unknown): Duplicate | undefined {
  if (error instanceof Duplicate) return error;
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return undefined;
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
  const field = fieldOfUniqueIndex(object, constraint);
  return field && new Duplicate(field);
}
