/** The clusters on which organizations can be placed. Addresses are sealed at rest and stay in this file. */
import { errors, quoted } from '../errors.ts';
import type { Keyring } from '../auth/keys.ts';
import { isCurrent, open, seal } from '../auth/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/id.ts';
import { didYouMean } from '../lib/nearest.ts';
import { sharedAnswer } from '../lib/shared-answer.ts';
import type { Database } from '../postgres/database.ts';
import { createTrigrams } from '../postgres/extension.ts';
import { sql, statement, trusted } from '../postgres/sql.ts';
import { affinity } from './control.ts';

/** Opens a cluster by URL. */
export type Connect = (url: string) => Promise<Database>;

export interface Datasource {
  readonly id: string;
  readonly name: string;
  readonly engine: string;
}

export interface Datasources {
  /** Connects to `url` and registers it; throws VALIDATION_ERROR for an invalid or taken name. */
  addDatasource(name: string, url: string): Promise<Datasource>;
  /** All datasources, `main` first. */
  datasources(): Promise<readonly Datasource[]>;
  /** The installation's id: the id of its first datasource, created with the control schema. */
  installationId(): Promise<string>;
  /** By name or id; throws VALIDATION_ERROR with the existing names. */
  datasourceNamed(name: string): Promise<Datasource>;
  /** The database of a datasource, connected on first use. */
  databaseOf(placed: { readonly datasourceId: string }): Promise<Database>;
  /**
   * Seals its address with the newest secret; false where nothing was to do. Throws when no available secret opens
   * it.
   */
  resealDatasource(id: string): Promise<boolean>;
  /** Closes the databases that it opened, so not the main one. */
  close(): Promise<void>;
}

export interface DirectoryParts {
  /** Has the control schema, and is also the datasource `main`. */
  readonly main: Database;
  readonly keyring: Keyring;
  readonly connect: Connect;
  readonly clock: Clock;
}

interface DatasourceRow extends Datasource {
  /** Null for the main database. */
  readonly sealedUrl: string | null;
}

/** Creates the registry of clusters; each is opened once, on first use. */
export function createDatasources(parts: DirectoryParts): Datasources {
  const { main } = parts;
  const opened = new Map<string, Promise<Database>>();
  return {
    async addDatasource(name, url) {
      checkName(name);
      const database = await parts.connect(url);
      try {
        const datasource = await register(parts, database, name, url);
        opened.set(datasource.id, Promise.resolve(database));
        return datasource;
      } catch (error) {
        await database.close();
        throw error;
      }
    },
    datasources: () => listed(main),
    installationId: sharedAnswer(async () => (await mainOf(main)).id, Infinity),
    async datasourceNamed(wanted) {
      const known = await listed(main);
      const found = known.find(({ id, name }) => name === wanted || id === wanted);
      if (found) return found;
      const names = known.map(({ name }) => name);
      throw errors.unknownName('datasource', wanted, names, didYouMean(wanted, names));
    },
    databaseOf({ datasourceId }) {
      const known = opened.get(datasourceId);
      if (known) return known;
      const opening = openDatasource(parts, datasourceId);
      opened.set(datasourceId, opening);
      opening.catch(() => opened.delete(datasourceId)); // the next caller retries
      return opening;
    },
    resealDatasource: (id) => reseal(parts, id),
    async close() {
      const databases = await Promise.allSettled(opened.values());
      opened.clear();
      const own = databases.flatMap((each) => (each.status === 'fulfilled' && each.value !== main ? [each.value] : []));
      await Promise.all(own.map((database) => database.close()));
    },
  };
}

async function listed(main: Database): Promise<readonly Datasource[]> {
  return (await list(main)).map(({ id, name, engine }) => ({ id, name, engine }));
}

async function mainOf(main: Database): Promise<Datasource> {
  const [found] = (await list(main)).filter(({ sealedUrl }) => sealedUrl === null);
  if (!found) throw new Error('The control schema has no main datasource');
  return found;
}

async function list(main: Database): Promise<readonly DatasourceRow[]> {
  const query = sql`select id, name, engine, url from kith.datasources order by created_at, id`;
  const { rows } = await main.run(affinity, statement(query));
  return rows.map(([id, name, engine, url]) => ({
    id: id ?? '',
    name: name ?? '',
    engine: engine ?? '',
    sealedUrl: url ?? null,
  }));
}

async function openDatasource({ main, keyring, connect }: DirectoryParts, id: string): Promise<Database> {
  const row = (await list(main)).find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`There is no datasource ${id}`);
  return row.sealedUrl === null ? main : connect(open(keyring, row.sealedUrl, placeOf(id)).toString());
}

async function reseal({ main, keyring }: DirectoryParts, id: string): Promise<boolean> {
  const sealedUrl = (await list(main)).find((candidate) => candidate.id === id)?.sealedUrl ?? null;
  if (sealedUrl === null || isCurrent(keyring, sealedUrl)) return false;
  const resealed = seal(keyring, open(keyring, sealedUrl, placeOf(id)), placeOf(id));
  // Replaces only the value that was read: a concurrent rotation may have been faster.
  const query = sql`update kith.datasources set url = ${resealed} where id = ${id}::uuid and url = ${sealedUrl}`;
  return (await main.run(affinity, statement(query))).count > 0;
}

async function register(parts: DirectoryParts, database: Database, name: string, url: string): Promise<Datasource> {
  await database.run(affinity, statement(trusted(createTrigrams)));
  const datasource = { id: newId(), name, engine: database.engine };
  const sealedUrl = seal(parts.keyring, Buffer.from(url), placeOf(datasource.id));
  const query = sql`insert into kith.datasources (id, name, url, engine, created_at)
    values (${datasource.id}::uuid, ${name}, ${sealedUrl}, ${datasource.engine}, to_timestamp(${parts.clock.now() / 1000}))
    on conflict (name) do nothing`;
  const { count } = await parts.main.run(affinity, statement(query));
  if (count === 0) throw errors.validation(`There is a datasource ${quoted(name)} already`);
  return datasource;
}

function checkName(name: string): void {
  if (/^[a-z][a-z0-9_-]{0,47}$/.test(name)) return;
  throw errors.validation(
    `${quoted(name)} cannot name a datasource: use small letters, digits, - and _, at most 48, beginning with a letter`,
  );
}

function placeOf(datasourceId: string): string {
  return `kith.datasources/${datasourceId}/url`;
}
