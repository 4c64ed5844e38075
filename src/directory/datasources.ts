/** The clusters that organizations can be placed on. Addresses are sealed at rest and never leave this file. */
import { errors, quoted } from '../errors.ts';
import type { Keyring } from '../auth/keys.ts';
import { open, seal } from '../auth/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/id.ts';
import type { Database } from '../postgres/database.ts';
import { sql, statement, type Sql } from '../postgres/sql.ts';

/** Opens a cluster by its address. */
export type Connect = (url: string) => Promise<Database>;

export interface Datasource {
  readonly id: string;
  readonly name: string;
  readonly engine: string;
}

interface DatasourceRow extends Datasource {
  /** Null for the database that holds the control schema. */
  readonly sealedUrl: string | null;
}

interface Parts {
  readonly main: Database;
  readonly keyring: Keyring;
  readonly connect: Connect;
  readonly clock: Clock;
}

const affinity = 'kith';

export function createDatasources({ main, keyring, connect, clock }: Parts) {
  const opened = new Map<string, Promise<Database>>();

  async function list(): Promise<readonly DatasourceRow[]> {
    const query = sql`select id, name, engine, url from kith.datasources order by created_at, id`;
    const { rows } = await main.run(affinity, statement(query));
    return rows.map(([id, name, engine, url]) => ({
      id: id ?? '',
      name: name ?? '',
      engine: engine ?? '',
      sealedUrl: url ?? null,
    }));
  }

  async function openDatasource(id: string): Promise<Database> {
    const row = (await list()).find((candidate) => candidate.id === id);
    if (row === undefined) throw new Error(`There is no datasource ${id}`);
    return row.sealedUrl === null ? main : connect(open(keyring, row.sealedUrl, placeOf(id)).toString());
  }

  async function addDatasource(name: string, url: string): Promise<Datasource> {
    if (!/^[a-z][a-z0-9_-]{0,47}$/.test(name)) {
      throw errors.validation(
        `${quoted(name)} cannot name a datasource: use small letters, digits, - and _, at most 48`,
      );
    }
    const database = await connect(url);
    try {
      await database.run(affinity, statement(createExtensions));
      const datasource = { id: newId(), name, engine: database.engine };
      const { count } = await main.run(
        affinity,
        statement(insert(datasource, seal(keyring, Buffer.from(url), placeOf(datasource.id)))),
      );
      if (count === 0) throw errors.validation(`There is a datasource ${quoted(name)} already`);
      opened.set(datasource.id, Promise.resolve(database));
      return datasource;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  function insert({ id, name, engine }: Datasource, sealedUrl: string): Sql {
    return sql`insert into kith.datasources (id, name, url, engine, created_at)
      values (${id}::uuid, ${name}, ${sealedUrl}, ${engine}, to_timestamp(${clock.now() / 1000}))
      on conflict (name) do nothing`;
  }

  return {
    addDatasource,
    datasources: async () => (await list()).map(({ id, name, engine }) => ({ id, name, engine })),
    databaseOf({ datasourceId }: { readonly datasourceId: string }): Promise<Database> {
      const known = opened.get(datasourceId);
      if (known) return known;
      const opening = openDatasource(datasourceId);
      opened.set(datasourceId, opening);
      opening.catch(() => opened.delete(datasourceId)); // the next caller tries again
      return opening;
    },
    async close(): Promise<void> {
      const databases = await Promise.allSettled(opened.values());
      opened.clear();
      const own = databases.flatMap((result) =>
        result.status === 'fulfilled' && result.value !== main ? [result.value] : [],
      );
      await Promise.all(own.map((database) => database.close()));
    },
  };
}

/** What organization schemas need of the database they lie in. */
const createExtensions = sql`create extension if not exists pg_trgm schema public`;

function placeOf(datasourceId: string): string {
  return `kith.datasources/${datasourceId}/url`;
}
