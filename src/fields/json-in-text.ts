/** JSON inside of a text: a list in a filter's value, a cell of several values. What looks at bodies and queries has not seen into it. */
import { parseJson, unstorable, type Json } from '../lib/json.ts';
import { FieldProblem } from './field-problem.ts';

/** The value, or undefined where the text is no JSON. Throws FieldProblem for one that cannot be stored. */
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
