/** Checks the clusters: connections, durability, extensions. */
import { UnknownKey } from '../auth/seal.ts';
import type { Datasource } from '../directory/datasources.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Database } from '../postgres/database.ts';
import { sql, statement } from '../postgres/sql.ts';
import type { Directory } from '../directory/directory.ts';
import { placementOn, serverProblems } from './citus.ts';
import { repairing, type Finding, type Problem } from './finding.ts';

export interface Cluster {
  readonly id: string;
  readonly name: string;
  readonly database: Database;
}

interface Away {
  readonly name: string;
  readonly reason: string;
  /** Whether no available secret decrypts its address. */
  readonly isSealed: boolean;
}

export interface Clusters {
  readonly reached: readonly Cluster[];
  readonly away: readonly Away[];
}

const affinity = 'kith';

/** Connects to all clusters; without a control schema, to the main database only. */
export async function reachClusters(main: Database, directory: Directory): Promise<Clusters> {
  const known = sql`select to_regclass('kith.datasources') is not null`;
  const isThere = (await main.run(affinity, statement(known))).rows[0]?.[0] === 't';
  if (!isThere) return { reached: [{ id: '', name: 'main', database: main }], away: [] };
  const reached: Cluster[] = [];
  const away: Away[] = [];
  for (const datasource of await directory.datasources()) {
    try {
      reached.push(await reach(directory, datasource));
    } catch (error) {
      away.push({ name: datasource.name, reason: messageOf(error), isSealed: error instanceof UnknownKey });
    }
  }
  return { reached, away };
}

async function reach(directory: Directory, { id, name }: Datasource): Promise<Cluster> {
  const database = await directory.databaseOf({ datasourceId: id });
  await database.ping();
  return { id, name, database };
}

/** Checks that all clusters can be reached, and lists their versions. */
export async function checkReached({ reached, away }: Clusters): Promise<Finding> {
  const fine = await Promise.all(
    reached.map(async ({ name, database }) => {
      const { engine, serverVersion } = database;
      const version = `${Math.floor(serverVersion / 10_000)}.${serverVersion % 10_000}`;
      return `${name}: PostgreSQL ${version}${engine === 'citus' ? ` with ${await placementOn(database)}` : ''}`;
    }),
  );
  const problems: Problem[] = away.map(({ name, reason, isSealed }) => ({
    text: `datasource ${name} cannot be reached (${reason})`,
    remedy: isSealed
      ? 'put back the secret that sealed its address, or name it in KITH_SECRET_KEYS_OLD'
      : 'start it, or see `kith datasource list`',
  }));
  for (const { name, database } of reached) {
    if (database.engine === 'citus') problems.push(...(await serverProblems(name, database)));
  }
  return { name: 'database', problems, fine: fine.join('; ') };
}

/** Reports the durability of clusters, without judging it: that is its owner's choice. */
export async function checkDurability({ reached }: Clusters): Promise<Finding> {
  const query = sql`select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums') order by name`;
  const lines = await Promise.all(
    reached.map(async ({ name, database }) => {
      const { rows } = await database.run(affinity, statement(query));
      const settings = rows.map(([setting, value]) => `${setting} ${value}`);
      const unsafe = rows.filter(([setting, value]) => setting !== 'data_checksums' && value === 'off');
      const warning = unsafe.map(
        ([setting]) => `warning: a crash may lose what was written; psql: alter system set ${setting} = on`,
      );
      return `${name}: ${[...settings, ...warning].join(', ')}`;
    }),
  );
  return { name: 'durability', problems: [], fine: lines.join('; ') };
}

/** Checks that each cluster has the extension for searching, in the schema where statements expect it. */
export async function checkExtensions({ reached }: Clusters): Promise<Finding> {
  const query = sql`select n.nspname, e.extversion from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm'`;
  const problems: Problem[] = [];
  for (const { name, database } of reached) {
    const [schema] = (await database.run(affinity, statement(query))).rows[0] ?? [];
    if (schema === 'public') continue;
    const create = sql`create extension pg_trgm schema public`;
    problems.push(
      schema === undefined
        ? {
            text: `datasource ${name} lacks the extension pg_trgm`,
            remedy: `${repairing}, or as a superuser: create extension pg_trgm schema public`,
            repair: () => database.run(affinity, statement(create)),
          }
        : {
            text: `datasource ${name} has the extension pg_trgm in the schema ${schema}`,
            remedy: 'as a superuser: alter extension pg_trgm set schema public',
          },
    );
  }
  return { name: 'extensions', problems, fine: 'pg_trgm' };
}
