/** The logger of connections and servers, in pino's shape, so that any of its loggers fits. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
