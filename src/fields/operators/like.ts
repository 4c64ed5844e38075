/**
 * LIKE patterns: built from literal text, validated when they come from outside, and matched here as PostgreSQL does.
 */
import { FieldProblem } from '../field-problem.ts';

/** Escapes text for use inside a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Validates a pattern from outside. Throws FieldProblem where PostgreSQL would refuse it. */
export function checkedPattern(pattern: string): string {
  let trailing = 0;
  while (pattern.at(-1 - trailing) === '\\') trailing++;
  if (trailing % 2 === 1) throw new FieldProblem('must not end with a backslash that escapes nothing');
  return pattern;
}

/** Whether `pattern` matches a whole text, case-insensitively with `anyCase`; for texts outside the database. */
export function matcher(pattern: string, anyCase: boolean): (text: string) => boolean {
  const fold = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const tokens = tokensOf(fold(pattern));
  return (text) => matches(tokens, [...fold(text)]);
}

interface Token {
  readonly kind: 'letter' | 'any' | 'run';
  readonly letter: string;
}

function tokensOf(pattern: string): readonly Token[] {
  return [...pattern.matchAll(/\\([^])|([^])/gu)].map(([, escaped, plain = '']) => {
    if (escaped === undefined && plain === '%') return { kind: 'run', letter: '' };
    return { kind: escaped === undefined && plain === '_' ? 'any' : 'letter', letter: escaped ?? plain };
  });
}

/**
 * Only the last `%` is retried, so the time is bounded by the product of both lengths, unlike a regular expression's.
 */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let token = 0;
  let run = -1;
  let resumeAt = 0;
  for (let at = 0; at < text.length;) {
    const next = tokens[token];
    if (next?.kind === 'run') {
      run = token++;
      resumeAt = at;
    } else if (next && (next.kind === 'any' || next.letter === text[at])) {
      token++;
      at++;
    } else if (run >= 0) {
      token = run + 1;
      at = ++resumeAt;
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'run');
}
