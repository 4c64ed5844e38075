/**
 * The log: one JSON line per event on standard error, in a readable form on a terminal. API tokens are masked
 * anywhere in a line.
 */
import { isatty } from 'node:tty';
import { destination, pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import { readableLine } from './readable-line.ts';
import { codeOf, messageForLog } from './thrown.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** An exception goes under the key `error`. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines at that level are written; defaults to yes. */
  isLevelEnabled?(level: LogLevel): boolean;
}

/** A log that writes lines at `level` or above to `stream`, by default standard error. */
export function createLog(level: LogLevel, stream: DestinationStream = standardError()): Log {
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

function standardError(): DestinationStream {
  const written = destination({ fd: 2, sync: true });
  return isatty(2) ? { write: (line) => void written.write(readableLine(line, process.stderr)) } : written;
}

/** Only chosen properties and messages of an error: the database's messages quote values of records. */
function describeError(error: unknown, depth = 0): object | string {
  const message = messageForLog(error);
  if (!(error instanceof Error)) return message;
  const { name: type, cause } = error;
  return {
    type,
    code: codeOf(error),
    ...objectsOf(error),
    message,
    stack: framesOf(error),
    cause: cause === undefined || depth > 4 ? undefined : describeError(cause, depth + 1),
  };
}

/** The database objects that an error concerns, and the place in PostgreSQL that raised it. */
function objectsOf(error: Error): object {
  const found = new Map(Object.entries(error));
  const names = ['schema', 'table', 'column', 'constraint', 'routine'].filter(
    (name) => typeof found.get(name) === 'string',
  );
  return Object.fromEntries(names.map((name) => [name, found.get(name)]));
}

/** The stack without the message that precedes it, which may have several lines. */
function framesOf({ stack = '', message }: Error): string {
  const end = stack.indexOf(message);
  return stack.slice(end < 0 ? stack.indexOf('\n    at ') + 1 : end + message.length).trimStart();
}
