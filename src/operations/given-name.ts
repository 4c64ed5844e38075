/** The name of something that people make. */
import { errors } from '../errors.ts';
import { labelProblem } from '../lib/label.ts';

/** The name without blanks around it. Throws VALIDATION_ERROR for `field` where it is none. */
export function givenName(given: string, field = 'name'): string {
  const name = given.trim();
  const problem = name === '' ? 'must not be empty' : labelProblem(name);
  if (problem === undefined) return name;
  throw errors.validation(`${field} ${problem}`, [{ field, message: `${field} ${problem}` }]);
}
