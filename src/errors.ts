/**
 * The closed list of what can go wrong for a caller. Everything that Kith refuses is thrown from here;
 * any other exception is a defect and becomes INTERNAL_ERROR. HTTP statuses live in `http/errors.ts` alone.
 * [spec: Errors]
 */

export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'PERMISSION_DENIED'
  | 'RECORD_NOT_FOUND'
  | 'MISSING_REQUIRED_FIELD'
  | 'MISSING_REQUIRED_FIELDS'
  | 'VALIDATION_ERROR'
  | 'DUPLICATE_RECORD'
  | 'INVALID_OBJECT'
  | 'INVALID_FIELD'
  | 'INVALID_OPERATION'
  | 'NOT_SUPPORTED'
  | 'WRITE_FAILED'
  | 'CONFLICT'
  /** Told as CONFLICT; a precondition of the request did not hold. */
  | 'STALE'
  | 'DESTRUCTIVE_CHANGE'
  | 'NOT_FOUND'
  | 'RATE_LIMITED';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ErrorDetails {
  readonly fieldErrors?: readonly FieldError[];
  readonly availableValues?: readonly string[];
  readonly cause?: unknown;
}

export class KithError extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: readonly FieldError[] | undefined;
  readonly availableValues: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'KithError';
    this.code = code;
    this.fieldErrors = details.fieldErrors;
    this.availableValues = details.availableValues;
  }
}

/** One constructor per situation, so that the same situation always reads the same. */
export const errors = {
  unauthorized: (message = 'A valid API token is needed: Authorization: Bearer svc_…') =>
    new KithError('UNAUTHORIZED', message),
  internal: (cause: unknown) =>
    new KithError('INTERNAL_ERROR', 'Something went wrong on our side; the request id finds it in the log', { cause }),
  unavailable: (cause: unknown) =>
    new KithError('UNAVAILABLE', 'The database cannot be reached at the moment; try again shortly', { cause }),
  permissionDenied: (message: string) => new KithError('PERMISSION_DENIED', message),
  adminOnly: (what: string) => new KithError('PERMISSION_DENIED', `${what} needs an admin`),
  recordNotFound: (objectName: string, id: string) =>
    new KithError('RECORD_NOT_FOUND', `No record ${quoted(id)} in ${objectName}`),
  missingField: (field: string, hint = '') =>
    new KithError('MISSING_REQUIRED_FIELD', `${field} is required${hint && `: ${hint}`}`),
  validation: (message: string, fieldErrors?: readonly FieldError[], availableValues?: readonly string[]) =>
    new KithError('VALIDATION_ERROR', message, {
      ...(fieldErrors && { fieldErrors }),
      ...(availableValues && { availableValues }),
    }),
  duplicateRecord: (message: string, fieldErrors: readonly FieldError[]) =>
    new KithError('DUPLICATE_RECORD', message, { fieldErrors }),
  invalidObject: (name: string, availableValues: readonly string[]) =>
    new KithError('INVALID_OBJECT', `There is no object ${quoted(name)}`, { availableValues }),
  invalidField: (name: string, objectName: string, availableValues: readonly string[], hint = '') =>
    new KithError('INVALID_FIELD', `There is no field ${quoted(name)} on ${objectName}${hint && `: ${hint}`}`, {
      availableValues,
    }),
  invalidOperation: (message: string, availableValues?: readonly string[]) =>
    new KithError('INVALID_OPERATION', message, { ...(availableValues && { availableValues }) }),
  notSupported: (message: string) => new KithError('NOT_SUPPORTED', message),
  writeFailed: (cause: unknown) => new KithError('WRITE_FAILED', 'The record could not be written', { cause }),
  destructiveChange: (message: string, fieldErrors: readonly FieldError[]) =>
    new KithError('DESTRUCTIVE_CHANGE', message, { fieldErrors }),
  conflict: (message: string) => new KithError('CONFLICT', message),
  stale: (fieldErrors?: readonly FieldError[]) =>
    new KithError('STALE', 'The record has changed since it was read: read it again', {
      ...(fieldErrors && { fieldErrors }),
    }),
  notFound: (message: string) => new KithError('NOT_FOUND', message),
};

/** A name from outside, safe inside a message: cut, and with control characters escaped. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/** A name from outside, no longer than is worth repeating. */
export function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name;
}
