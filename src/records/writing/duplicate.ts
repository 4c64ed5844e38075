/** A value that must be unique is taken; who has it is looked up once the transaction is over. */
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldOfUniqueIndex } from '../../model/names.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sqlState, violatedConstraint } from '../../postgres/failure.ts';

/** A value that has to be unique is taken; whoever knows the caller makes the refusal of it. */
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
  if (sqlState(error) !== '23505') return undefined;
  const field = fieldOfUniqueIndex(object, violatedConstraint(error) ?? '');
  return field && new Duplicate(field);
}
