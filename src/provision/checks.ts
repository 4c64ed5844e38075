/** Validates names and addresses: each check returns the problem, as `must …`, or undefined. */
import { errors, type FieldError } from '../errors.ts';
import { labelProblem } from '../lib/label.ts';

/** The problem of an organization's or a person's name, to complete “name …”; undefined if none. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.length > 200) return 'must have at most 200 characters';
  return labelProblem(name);
}

/** Tests plausibility only: one @ between a local part and a host, without spaces. */
export function emailProblem(email: string): string | undefined {
  if (labelProblem(email) !== undefined || email.length > 320 || !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/u.test(email)) {
    return 'must be an e-mail address';
  }
  return undefined;
}

/** Throws VALIDATION_ERROR with all problems, which are keyed by input name. */
export function refuseProblems(problems: Readonly<Record<string, string | undefined>>): void {
  const fieldErrors = Object.entries(problems).flatMap(([field, problem]): FieldError[] =>
    problem === undefined ? [] : [{ field, message: `${field} ${problem}` }],
  );
  if (fieldErrors.length > 0)
    throw errors.validation(fieldErrors.map(({ message }) => message).join('; '), fieldErrors);
}
