import type { Database } from '../../src/postgres/database.ts';
import type { Statement } from '../../src/postgres/sql.ts';

/** Those of one read share a connection with others, one that runs has its own. */
export type Way = 'shared' | 'alone';

/** The database, which has `note` told of each statement before it is sent. */
export function watchedDatabase(
  database: Database,
  note: (statements: readonly Statement[], way: Way) => void,
): Database {
  return {
    ...database,
    read(affinity, statements, signal) {
      note(statements, 'shared');
      return database.read(affinity, statements, signal);
    },
    run(affinity, wanted, limitMs, signal) {
      note([wanted], 'alone');
      return database.run(affinity, wanted, limitMs, signal);
    },
  };
}
