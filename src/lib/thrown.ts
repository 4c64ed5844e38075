/** What can be said of something that was thrown. */

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system, of a library or of PostgreSQL itself; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Classes of PostgreSQL's errors that are about values: data exceptions, violated constraints, cardinality, raised by hand. */
const aboutValues = /^(?:2[0-4]|27|44|P0)...$/;

/** What the language itself throws: it quotes what it could not read. */
const ofTheLanguage = [SyntaxError, TypeError, RangeError, ReferenceError, URIError];

/** Refusals that are about the service, not about what was sent: others repeat a value to whoever sent it. */
const aboutTheService: ReadonlySet<string> = new Set([
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  'NOT_SUPPORTED',
  'WRITE_FAILED',
]);

/** The message as far as it quotes no value of a record, for logs. What is left out, the code and the place in the program tell. */
export function messageForLog(error: unknown): string {
  if (!(error instanceof Error)) return `${typeof error} was thrown`;
  if (ofTheLanguage.some((kind) => error instanceof kind)) return `${error.name} (its text may quote a value)`;
  const code = codeOf(error);
  if (error.name === 'KithError' && !aboutTheService.has(code ?? '')) return `${code} (its text may quote a value)`;
  // As the errors of `pg` are, of whatever session or process.
  const isPostgres = 'severity' in error && code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  return isPostgres && aboutValues.test(code) ? `PostgreSQL refuses a value (${code})` : error.message;
}
