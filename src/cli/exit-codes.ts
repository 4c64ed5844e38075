/** Exit codes, besides 0 for success. */
import { KithError, type ErrorCode } from '../errors.ts';

export const exitCodes = {
  failure: 1,
  usage: 2,
  notFound: 3,
  notPermitted: 4,
  conflict: 5,
  /** The database cannot be reached (EX_UNAVAILABLE of sysexits). */
  unreachable: 69,
  interrupted: 130,
} as const;

const byCode: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: exitCodes.usage,
  MISSING_REQUIRED_FIELD: exitCodes.usage,
  MISSING_REQUIRED_FIELDS: exitCodes.usage,
  INVALID_OPERATION: exitCodes.usage,
  INVALID_ARGUMENT: exitCodes.usage,
  INVALID_CHANNEL: exitCodes.usage,
  CONFIRM_REQUIRED: exitCodes.usage,
  AMBIGUOUS_SENDER: exitCodes.usage,
  NOT_FOUND: exitCodes.notFound,
  RECORD_NOT_FOUND: exitCodes.notFound,
  INVALID_OBJECT: exitCodes.notFound,
  INVALID_FIELD: exitCodes.notFound,
  NO_ACCOUNT: exitCodes.notFound,
  SEND_NOT_ENABLED: exitCodes.notPermitted,
  PERMISSION_DENIED: exitCodes.notPermitted,
  UNAUTHORIZED: exitCodes.notPermitted,
  CONFIRM_INVALID: exitCodes.conflict,
  CONFIRM_MISMATCH: exitCodes.conflict,
  DUPLICATE_RECORD: exitCodes.conflict,
  CONFLICT: exitCodes.conflict,
  STALE: exitCodes.conflict,
  DESTRUCTIVE_CHANGE: exitCodes.conflict,
  SEND_FAILED: exitCodes.failure,
  SEND_UNKNOWN: exitCodes.failure,
  UNAVAILABLE: exitCodes.unreachable,
  INTERNAL_ERROR: exitCodes.failure,
  NOT_SUPPORTED: exitCodes.failure,
  WRITE_FAILED: exitCodes.failure,
  MERGE_FAILED: exitCodes.failure,
  RATE_LIMITED: exitCodes.failure,
};

/** The error codes that answers can have; others are answered as one of these. */
export function answerErrorCodes(): readonly ErrorCode[] {
  const codes = Object.keys(byCode) as ErrorCode[];
  return codes.filter((code) => code !== 'STALE' && code !== 'UNAVAILABLE').toSorted();
}

/** Whether this program knows the code: a service may be newer. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(byCode, code);
}

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof KithError ? byCode[error.code] : exitCodes.failure;
}
