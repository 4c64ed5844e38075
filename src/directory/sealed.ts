/** Whether the available root secret is the one of this installation. */
import type { Keyring } from '../auth/keys.ts';
import { isKnown } from '../auth/seal.ts';
import type { Database } from '../postgres/database.ts';
import { empty, identifier, join, sql } from '../postgres/sql.ts';
import { controlRows, textOf } from './control.ts';

/** Whether `main` contains values sealed with a secret. Works on any database of any version. */
export async function isSealed(main: Database): Promise<boolean> {
  const [known] = await controlRows(main, sql`select to_regclass('kith.organizations')`);
  if (typeof known?.[0] !== 'string') return false;
  const [found] = await controlRows(
    main,
    sql`select from kith.organizations where state = 'active' union all select from kith.datasources where url is not null limit 1`,
  );
  return found !== undefined;
}

export interface LockedOut {
  readonly ids: readonly string[];
  /** For the operator. */
  readonly sentence: string;
}

/**
 * Which of the `newest` organizations no available secret opens; undefined if none. On another cluster, the cluster's
 * address is tested instead. Schemas must be migrated; unreadable ones are skipped.
 */
export async function lockedOut(main: Database, keyring: Keyring, newest = Infinity): Promise<LockedOut | undefined> {
  const found = await sealedTexts(main, newest);
  const ids = found.filter(({ sealed }) => !isKnown(keyring, sealed)).map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const which =
    ids.length === found.length ? 'none of the organizations' : `${ids.length} of ${found.length} organizations not`;
  const sentence = `The root secret at hand opens ${which}, whose tokens it refuses (kith doctor names them): put back the one that sealed them, or name it in KITH_SECRET_KEYS_OLD; where it is lost for good, kith keys rotate --lost`;
  return { ids, sentence };
}

interface Sealed {
  /** The organization's id. */
  readonly id: string;
  readonly sealed: string;
}

async function sealedTexts(main: Database, newest: number): Promise<readonly Sealed[]> {
  const limit = newest === Infinity ? empty : sql`limit ${newest}::integer`;
  const rows = await controlRows(
    main,
    sql`select o.id, o.schema_name, d.url from kith.organizations o join kith.datasources d on d.id = o.datasource_id
      where o.state = 'active' order by o.created_at desc, o.id ${limit}`,
  );
  const elsewhere = rows.flatMap((row) => (typeof row[2] === 'string' ? [{ id: textOf(row, 0), sealed: row[2] }] : []));
  const here = rows.filter((row) => typeof row[2] !== 'string').map((row) => textOf(row, 1));
  return [...(await dataKeys(main, here)), ...elsewhere];
}

/** Schemas per statement. */
const atOnce = 200;

async function dataKeys(main: Database, schemas: readonly string[]): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (let at = 0; at < schemas.length; at += atOnce) {
    const some = schemas.slice(at, at + atOnce);
    found.push(...(await readDataKeys(main, some).catch(() => oneByOne(main, some))));
  }
  return found;
}

async function oneByOne(main: Database, schemas: readonly string[]): Promise<Sealed[]> {
  const found: Sealed[] = [];
  // A damaged or older schema is reported elsewhere.
  for (const schema of schemas) found.push(...(await readDataKeys(main, [schema]).catch(() => [])));
  return found;
}

async function readDataKeys(main: Database, schemas: readonly string[]): Promise<Sealed[]> {
  if (schemas.length === 0) return [];
  const selects = schemas.map((schema) => sql`select id, data_key from ${identifier(schema, '_organization')}`);
  const rows = await controlRows(main, join(selects, ' union all '));
  return rows.map((row) => ({ id: textOf(row, 0), sealed: textOf(row, 1) }));
}
