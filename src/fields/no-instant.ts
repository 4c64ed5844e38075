/** Why a text is no instant that can be stored. */
import type { Json } from '../lib/json.ts';
import { misfit, type FieldProblem } from './field-problem.ts';
import { isBeyondYears } from './local-time.ts';

/** The problem of a text that `parseInstant` refuses; `shape` describes a valid one. */
export function noInstant(shape: string, value: Json): FieldProblem {
  const isBeyond = typeof value === 'string' && isBeyondYears(value);
  return misfit(isBeyond ? 'in the years 1 to 9999 of UTC' : shape, value);
}
