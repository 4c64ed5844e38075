/** A unique value is taken; its holder is looked up after the transaction. */
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldOfUniqueIndex } from '../../model/names.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sqlState, violatedConstraint } from '../../postgres/failure.ts';

/** A unique value is taken. A handler that knows the caller turns it into DUPLICATE_RECORD. */
export class Duplicate extends Error {
  readonly field: FieldDef;
  /** The taken values, if the database names them. */
  readonly values: readonly string[] | undefined;
  constructor(field: FieldDef, values?: readonly string[]) {
    super(`${field.name} is taken`);
    this.field = field;
    this.values = values;
  }
}

/** The Duplicate that the error is, or that a unique index violation means; undefined for any other error. */
export function duplicateIn(object: ObjectDef, error: unknown): Duplicate | undefined {
  if (error instanceof Duplicate) return error;
  if (sqlState(error) !== '23505') return undefined;
  const field = fieldOfUniqueIndex(object, violatedConstraint(error) ?? '');
  return field && new Duplicate(field);
}
