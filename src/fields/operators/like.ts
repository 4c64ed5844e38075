/** Patterns of LIKE: made from literal text, checked when they come from outside, and matched here as PostgreSQL does. */
import { FieldProblem } from '../field-problem.ts';

/** Text for a pattern in which it stands for itself. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** A pattern from outside. Throws FieldProblem where PostgreSQL would refuse it. */
export function checkedPattern(pattern: string): string {
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0;
  if (trailing % 2 === 1) throw new FieldProblem('must not end with a backslash that escapes nothing');
  return pattern;
}

/** Whether `pattern` matches a whole text, in any case when `anyCase`: for texts that are not in the database. */
export function matcher(pattern: string, anyCase: boolean): (text: string) => boolean {
  const fold = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const source = fold(pattern).replace(/\\([^])|([%_])|([\^$.*+?()[\]{}|/])/gu, (_, escaped, wildcard, special) => {
    if (wildcard !== undefined) return wildcard === '%' ? '[^]*' : '[^]';
    return quoteForRegExp(escaped ?? special);
  });
  const expression = new RegExp(`^${source}$`, 'u');
  return (text) => expression.test(fold(text));
}

function quoteForRegExp(character: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
