/**
 * How a field type refuses a value. In its own file, since expressions throw it and field types contain expressions.
 */

import { quoted, shortened } from '../errors.ts';
import { Digits, type Json } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';

/** Why a value was refused; becomes one of the `field_errors`. The message omits the field name: "must be …". */
export class FieldProblem extends Error {
  readonly availableValues: readonly string[] | undefined;
  constructor(message: string, availableValues?: readonly string[]) {
    // No stack trace: a file may have a million invalid values, and capturing it costs more than everything else.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.availableValues = availableValues;
  }
}

/** The field cannot be filtered by an operator; `availableValues` are its operators. */
export class OperatorProblem extends FieldProblem {}

/**
 * A misfit value, with a description of a valid one and the nearest available value: `must be a number such as
 * 1200.5, not "many"`.
 */
export function misfit(shape: string, value: Json, availableValues?: readonly string[]): FieldProblem {
  const hint = typeof value === 'string' && availableValues ? didYouMean(value, availableValues) : '';
  return new FieldProblem(`must be ${shape}, not ${echoed(value)}${hint}`, availableValues);
}

/** A value quoted in a message: shortened if long, only its kind if it is an object or a list. */
export function echoed(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Digits) return shortened(value.source);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Throws FieldProblem for an unknown key; keys in `silent` are accepted but not suggested. */
export function refuseOtherKeys(value: object, known: readonly string[], silent: readonly string[] = []): void {
  const extra = Object.keys(value).find((key) => !known.includes(key) && !silent.includes(key));
  if (extra !== undefined)
    throw new FieldProblem(`has an unknown key ${quoted(extra)}${didYouMean(extra, known)}`, known);
}
