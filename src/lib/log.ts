/** The log: one JSON line per event on standard error. API tokens never get into it, wherever they stand in a line. */
import { destination, pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import { codeOf } from './thrown.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** An exception goes under the key `error`. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A log that writes what is at `level` or above to `stream`, standard error when it is not given. */
export function createLog(level: LogLevel, stream: DestinationStream = destination({ fd: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      errorKey: 'error',
      serializers: { error: (error: unknown) => describeError(error) },
      hooks: { streamWrite: (line) => line.replace(/svc_[\w.-]+/g, 'svc_…') },
    },
    stream,
  );
}

/** Not every property of an error: those of the database quote the values of records. */
function describeError(error: unknown, depth = 0): object | string {
  if (!(error instanceof Error)) return String(error);
  const { name: type, message, stack, cause } = error;
  return {
    type,
    code: codeOf(error),
    message,
    stack,
    cause: cause === undefined || depth > 4 ? undefined : describeError(cause, depth + 1),
  };
}
