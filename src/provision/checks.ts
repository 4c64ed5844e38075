/** What names and addresses may be: each check gives the problem, as `must …`, or undefined. */
import { errors, type FieldError } from '../errors.ts';
import { labelProblem } from '../lib/label.ts';

/** What is wrong with the name of an organization or person, to complete “name …”; undefined where nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > 200) return 'must have at most 200 characters';
  return labelProblem(name);
}

/** Plausible, no more: one @ with something before it and a host after it, without spaces. */
export function emailProblem(email: string): string | undefined {
  if (labelProblem(email) !== undefined || email.length > 320 || !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/u.test(email)) {
    return 'must be an e-mail address';
  }
  return undefined;
}

/** Throws VALIDATION_ERROR with every problem; `problems` are by the name of the input. */
export function refuseProblems(problems: Readonly<Record<string, string | undefined>>): void {
  const fieldErrors = Object.entries(problems).flatMap(([field, problem]): FieldError[] =>
    problem === undefined ? [] : [{ field, message: `${field} ${problem}` }],
  );
  if (fieldErrors.length > 0)
    throw errors.validation(fieldErrors.map(({ message }) => message).join('; '), fieldErrors);
}
