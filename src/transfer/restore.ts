/** Brings organizations back from a backup, under the id they had or under another one, on any datasource. */
import { newDataKey } from '../auth/data-key.ts';
import { errors, quoted } from '../errors.ts';
import { isUuid, newId } from '../lib/id.ts';
import { schemaName } from '../model/names.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import { createSchema } from '../provision/create-schema.ts';
import { findDatasource } from '../provision/create-organization.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { allMigrations, latestVersion } from '../provision/migrations.ts';
import { checksum, readContents, type BackedUp, type OrganizationHeading } from './contents.ts';
import { differs, refuseOther } from './copy-organization.ts';
import { dataKeyUnpacker } from './data-key.ts';
import { hold, type Held } from './hold.ts';
import { continueHistory, readRows, tablesOf, mayBeIdle, writeRows, type Table } from './tables.ts';

export interface RestoreRequest {
  readonly path: string;
  /** Of several organizations in the file the one that is wanted; all unless given. */
  readonly only?: string;
  /** The id of the restored organization, or `new` for any; the one it had unless given. */
  readonly as?: string;
  /** A name; the datasource it was on, where there is one of that name, else `main`. */
  readonly datasource?: string;
  readonly passphrase?: string;
}

export interface Restored {
  readonly organizationId: string;
  readonly name: string;
  readonly datasource: string;
  readonly rows: number;
  /** As in the backup; compared with what is in the database now. */
  readonly checksum: string;
  /** False when the secrets in it are lost, since nothing at hand opens its data key. */
  readonly secretsKept: boolean;
}

/**
 * Checks the whole file before anything is done. Throws CONFLICT where an organization is there already, VALIDATION_ERROR for a
 * damaged file or a wrong passphrase, NOT_SUPPORTED for an organization of a newer program. Nobody has a token for it yet.
 */
export async function restore(deps: ProvisionDeps, request: RestoreRequest): Promise<readonly Restored[]> {
  const { path, only, as } = request;
  const contents = await readContents(path);
  const wanted = contents.organizations.filter(({ id }) => only === undefined || id === only);
  if (wanted.length === 0)
    throw errors.notFound(`The backup has no organization ${only === undefined ? '' : quoted(only)}`);
  if (as !== undefined && wanted.length > 1) {
    throw errors.validation('The backup holds several organizations: say with --only which one gets the new id');
  }
  if (as !== undefined && as !== 'new' && !isUuid(as)) throw errors.validation(`${quoted(as)} is not an id`);
  const ids = new Map(wanted.map(({ id }) => [id, as === 'new' ? newId() : (as?.toLowerCase() ?? id)]));
  for (const id of ids.values()) await refuseKnown(deps, id);

  const unpack = dataKeyUnpacker(deps.keyring, request.passphrase);
  const restored: Restored[] = [];
  let turn: Turn | undefined;
  await readContents(path, {
    async organization(heading) {
      const id = ids.get(heading.id);
      turn = id === undefined ? undefined : await startTurn(deps, heading, id, request.datasource, unpack);
    },
    async table(table, rows) {
      if (turn) await turn.table(table, rows);
      else for await (const _ of rows);
    },
    async endOfOrganization(known) {
      if (turn) restored.push(await turn.end(known));
    },
  }).catch(async (error: unknown) => {
    await turn?.giveUp(error);
    throw error;
  });
  return restored;
}

/** Restores one organization in one transaction, which the reader of the file feeds table by table. */
interface Turn {
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<void>;
  end(known: BackedUp): Promise<Restored>;
  giveUp(error: unknown): Promise<void>;
}

async function startTurn(
  deps: ProvisionDeps,
  heading: OrganizationHeading,
  id: string,
  wanted: string | undefined,
  unpack: ReturnType<typeof dataKeyUnpacker>,
): Promise<Turn> {
  const { directory, keyring } = deps;
  const schemaVersion = latestVersion(allMigrations.organization);
  if (heading.schema_version > schemaVersion) {
    throw errors.notSupported('The backup was made by a newer Kith: restore it with that one');
  }
  const datasource = await datasourceFor(deps, heading, wanted);
  const database = await directory.databaseOf({ datasourceId: datasource.id });
  const place = { id, schema: schemaName(id) };
  const kept = unpack(heading, place, heading.data_key);
  const { name } = heading.model;
  let made: readonly Table[] = [];
  const opened = await openAlone(directory, id, async () => {
    // Nobody has seen an organization that was never active: what an interrupted restore has left may be replaced.
    const isRepeated = await directory.isBegun(id);
    await directory.addOrganization({ ...place, name, datasourceId: datasource.id, schemaVersion });
    return openTransaction(database, id, async (fresh) => {
      await mayBeIdle(fresh);
      if (isRepeated) await fresh.script(`drop schema if exists "${place.schema}" cascade`);
      await prepare(deps, database, fresh, heading, place, kept ?? newDataKey(keyring, place));
      made = await tablesOf(fresh, place.schema);
    });
  });
  const tx = opened.given;
  const proof = checksum();
  return {
    giveUp: opened.fail,
    async table(table, rows) {
      refuseOther([table], made);
      await writeRows(tx, identifier(place.schema, table.name), table, async (write) => {
        for await (const bytes of rows) await write(bytes);
      });
      proof.add(table, await readRows(tx, place.schema, table));
    },
    async end(known) {
      if (proof.digest() !== known.checksum) throw differs(name);
      await continueHistory(tx, place.schema);
      await enterPeople(deps, tx, place.schema);
      await opened.end();
      const { rows, checksum: sum } = known;
      const secretsKept = kept !== undefined;
      return { organizationId: id, name, datasource: datasource.name, rows, checksum: sum, secretsKept };
    },
  };
}

/** What `open` opens, while nobody else restores the organization; at the end it is there for everybody. */
async function openAlone(
  directory: ProvisionDeps['directory'],
  id: string,
  open: () => Promise<Held<Transaction>>,
): Promise<Held<Transaction>> {
  const alone = await hold<void>((use) => directory.aloneWith(id, () => use()));
  const opened = await open().catch(async (error: unknown) => {
    await alone.fail(error);
    throw error;
  });
  return {
    given: opened.given,
    async end() {
      await opened.end();
      await directory.activate(id);
      await alone.end();
    },
    async fail(error) {
      await opened.fail(error);
      await alone.fail(error);
    },
  };
}

/** A transaction that stays open between calls. */
function openTransaction(
  database: Database,
  affinity: string,
  begin: (tx: Transaction) => Promise<void>,
): Promise<Held<Transaction>> {
  let isUsed = false;
  return hold((use) =>
    database.transaction(
      affinity,
      async (tx) => {
        if (isUsed) throw new Error('A restore cannot be repeated from its middle');
        isUsed = true;
        await begin(tx);
        await use(tx);
      },
      Infinity,
    ),
  );
}

async function prepare(
  { clock }: ProvisionDeps,
  { engine }: Database,
  tx: Transaction,
  { model, created_at }: OrganizationHeading,
  place: { readonly id: string; readonly schema: string },
  dataKey: string,
): Promise<void> {
  await createSchema(engine, tx, place, model);
  const { name, currency, timezone, version } = model;
  const schemaVersion = latestVersion(allMigrations.organization);
  await tx.run(
    statement(sql`insert into ${identifier(place.schema, '_organization')}
      (id, name, currency, timezone, epoch, model_version, schema_version, data_key, created_at)
      values (${place.id}::uuid, ${name}, ${currency}, ${timezone},
        greatest(${model.epoch}::bigint + 1, ${String(clock.now())}::bigint),
        ${version}::bigint, ${schemaVersion}::integer, ${dataKey}, ${created_at}::timestamptz)`),
  );
}

/** People are known by their address; here they may have other ids than where the backup was made. */
async function enterPeople({ directory }: ProvisionDeps, tx: Transaction, schema: string): Promise<void> {
  const table = identifier(schema, '_users');
  const { rows } = await tx.run(statement(sql`select id, user_id, email, name from ${table}`));
  for (const [id, userId, email, name] of rows) {
    const person = await directory.personByEmail(email ?? '', name ?? '');
    if (person === userId) continue;
    await tx.run(statement(sql`update ${table} set user_id = ${person}::uuid where id = ${id ?? null}::uuid`));
  }
}

async function refuseKnown({ directory }: ProvisionDeps, id: string): Promise<void> {
  directory.forget(id);
  if (await directory.organization(id)) {
    throw errors.conflict(`There is an organization ${quoted(id)} already; --new-id restores beside it`);
  }
}

async function datasourceFor(deps: ProvisionDeps, { datasource }: OrganizationHeading, wanted: string | undefined) {
  const known = await deps.directory.datasources();
  return findDatasource(deps, wanted ?? (known.some(({ name }) => name === datasource) ? datasource : 'main'));
}
