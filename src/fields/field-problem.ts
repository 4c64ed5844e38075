/** How a field's type refuses a value. In a file of its own because expressions throw it and field types hold expressions. */

import { quoted, shortened } from '../errors.ts';
import { Digits, type Json } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';

/** Why a value was refused; becomes one of the `field_errors`. The message has no field name in it: "must be …". */
export class FieldProblem extends Error {
  readonly availableValues: readonly string[] | undefined;
  constructor(message: string, availableValues?: readonly string[]) {
    // Nobody asks where it was thrown, and a file may be wrong in a million places: to note that takes longer than all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.availableValues = availableValues;
  }
}

/** That a field can't be filtered by an operator, whatever the value; `availableValues` are the operators that it takes. */
export class OperatorProblem extends FieldProblem {}

/** A value that does not fit, beside what would, and the nearest of those that are available: `must be a number such as 1200.5, not "many"`. */
export function misfit(shape: string, value: Json, availableValues?: readonly string[]): FieldProblem {
  const hint = typeof value === 'string' && availableValues ? didYouMean(value, availableValues) : '';
  return new FieldProblem(`must be ${shape}, not ${echoed(value)}${hint}`, availableValues);
}

/** A value as a message repeats it: cut where it is long, and only by its kind where it has parts. */
export function echoed(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Digits) return shortened(value.source);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Throws FieldProblem for a key that is none of `known`, nor of `silent`, which are taken as well and not told of. */
export function refuseOtherKeys(value: object, known: readonly string[], silent: readonly string[] = []): void {
  const extra = Object.keys(value).find((key) => !known.includes(key) && !silent.includes(key));
  if (extra !== undefined)
    throw new FieldProblem(`has an unknown key ${quoted(extra)}${didYouMean(extra, known)}`, known);
}
