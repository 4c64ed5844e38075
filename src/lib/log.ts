/** The log: one JSON line per event on standard error. API tokens never get into it, wherever they stand in a line. */
import { destination, pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** An Error goes under the key `err`. */
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
      hooks: { streamWrite: (line) => line.replace(/svc_[\w.-]+/g, 'svc_…') },
    },
    stream,
  );
}
