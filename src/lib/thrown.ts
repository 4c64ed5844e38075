/** Reads thrown values. */

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system, a library or PostgreSQL; undefined without one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** PostgreSQL error classes about values: data exceptions, violated constraints, cardinality, raised by hand. */
const aboutValues = /^(?:2[0-4]|27|44|P0)...$/;

/** Errors of the language quote the text that they could not read. */
const ofTheLanguage = [SyntaxError, TypeError, RangeError, ReferenceError, URIError];

/** Error codes about the service; others may repeat a sent value. */
const aboutTheService: ReadonlySet<string> = new Set([
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  'NOT_SUPPORTED',
  'WRITE_FAILED',
]);

/** The message for logs, without values of records. The code and the stack replace an omitted message. */
export function messageForLog(error: unknown): string {
  if (!(error instanceof Error)) return `${typeof error} was thrown`;
  if (ofTheLanguage.some((kind) => error instanceof kind)) return `${error.name} (its text may quote a value)`;
  const code = codeOf(error);
  if (error.name === 'KithError' && !aboutTheService.has(code ?? '')) return `${code} (its text may quote a value)`;
  // The shape of `pg`'s errors, from any session or process.
  const isPostgres = 'severity' in error && code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  return isPostgres && aboutValues.test(code) ? `PostgreSQL refuses a value (${code})` : error.message;
}
