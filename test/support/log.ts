/** Logs for tests. */
import type { Log } from '../../src/postgres/log.ts';

const nothing = () => {};

/** Says nothing: for tests that break connections on purpose. */
export const silentLog: Log = { info: nothing, warn: nothing, error: nothing };

/** Prints errors only. */
export const errorLog: Log = { ...silentLog, error: (fields, message) => console.error(message, fields) };
