/**
 * JSON inside a text: a list in a filter's value, a cell of several values. The checks of bodies and queries did not
 * look into it.
 */
import { parseJson, unstorable, type Json } from '../lib/json.ts';
import { FieldProblem } from './field-problem.ts';

/** The parsed value, or undefined where the text is no JSON. Throws FieldProblem for one that cannot be stored. */
export function jsonInText(text: string): Json | undefined {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  const problem = unstorable(value);
  if (problem !== undefined) throw new FieldProblem(problem);
  return value;
}
