/** Validation of names that people choose. */
import { errors } from '../errors.ts';
import { labelProblem } from '../lib/label.ts';

/** The trimmed name. Throws VALIDATION_ERROR for `field` if it is empty or invalid. */
export function givenName(given: string, field = 'name'): string {
  const name = given.trim();
  const problem = name === '' ? 'must not be empty' : labelProblem(name);
  if (problem === undefined) return name;
  throw errors.validation(`${field} ${problem}`, [{ field, message: `${field} ${problem}` }]);
}
