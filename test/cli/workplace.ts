/** An organization that commands work on, in a database and with a data directory of its own. */
import { rmSync } from 'node:fs';
import type { Row } from '../../src/postgres/database.ts';
import { statement, type Sql } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kithJson } from './in-process.ts';

export interface Workplace {
  /** What the database answers. */
  rows(query: Sql): Promise<readonly Row[]>;
  readonly directory: string;
  /** What a command needs to find both. */
  readonly env: NodeJS.ProcessEnv;
  /** The id of the organization. */
  readonly org: string;
  readonly schema: string;
  /** Removes all of it. */
  close(): Promise<void>;
}

/** Makes one; call `close` in `afterAll`. */
export async function openWorkplace(): Promise<Workplace> {
  const database = await testDatabase();
  const directory = temporaryDir();
  const env = { DATABASE_URL: database.url, KITH_DATA_DIR: directory };
  const { json } = await kithJson(
    ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'],
    env,
  );
  return {
    rows: async (query) => (await database.database.run('test', statement(query))).rows,
    directory,
    env,
    org: String(json['organizationId']),
    schema: String(json['schemaName']),
    async close() {
      await database.drop();
      rmSync(directory, { recursive: true });
    },
  };
}
