/** Why a text names no instant that can be kept. */
import type { Json } from '../lib/json.ts';
import { misfit, type FieldProblem } from './field-problem.ts';
import { isBeyondYears } from './local-time.ts';

/** Of what `parseInstant` does not read; `shape` is what would be read. */
export function noInstant(shape: string, value: Json): FieldProblem {
  const isBeyond = typeof value === 'string' && isBeyondYears(value);
  return misfit(isBeyond ? 'in the years 1 to 9999 of UTC' : shape, value);
}
