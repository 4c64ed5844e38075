/** Restores one organization of a backup into a database. */
import { newDataKey } from '../auth/data-key.ts';
import type { Datasource } from '../directory/datasources.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import { addBuiltIns } from '../provision/built-ins.ts';
import { createSchema } from '../provision/create-schema.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { knownVersion } from '../provision/migrate.ts';
import { allMigrations, latestVersion } from '../provision/migrations.ts';
import { checksum, type BackedUp, type OrganizationHeading } from './contents.ts';
import { differs } from './copy-organization.ts';
import { refuseOtherWorkspace } from './fit.ts';
import { hold, type Held } from './hold.ts';
import { continueHistory, readRows, tablesOf, mayBeIdle, writeRows, type Table } from './tables.ts';

/** The plan for an organization of a backup. */
export interface Plan {
  /** The new id and schema. */
  readonly id: string;
  readonly schema: string;
  readonly heading: OrganizationHeading;
  readonly tables: readonly Table[];
  readonly datasource: Datasource;
  /** As stored; undefined if the backup's cannot be decrypted. */
  readonly dataKey: string | undefined;
}

export interface Restored {
  readonly organizationId: string;
  readonly name: string;
  readonly datasource: string;
  readonly rows: number;
  /** As in the backup; compared with the restored rows. */
  readonly checksum: string;
  /** False if its secrets are lost, as its data key could not be decrypted when the backup was made. */
  readonly secretsKept: boolean;
}

/** Restores one organization in one transaction, which the reader feeds table by table. */
export interface Restoration {
  table(table: Table, rows: AsyncIterable<Buffer>): Promise<void>;
  end(known: BackedUp): Promise<Restored>;
  giveUp(error: unknown): Promise<void>;
}

/** Creates the organization with empty tables in a transaction that stays open until `signal` is aborted. */
export async function beginRestoration(
  deps: ProvisionDeps,
  plan: Plan,
  signal: AbortSignal | undefined,
): Promise<Restoration> {
  const { directory, keyring } = deps;
  const { id, schema, heading, datasource, dataKey } = plan;
  const database = await directory.databaseOf({ datasourceId: datasource.id });
  const place = { id, schema };
  const { name } = heading.model;
  const schemaVersion = latestVersion(allMigrations.organization);
  let made: readonly Table[] = [];
  const opened = await openAlone(directory, id, async () => {
    // An organization that was never active has no users: the rest of an interrupted restore may be replaced.
    const isRepeated = await directory.isBegun(id);
    await directory.addOrganization({ ...place, name, datasourceId: datasource.id, schemaVersion });
    return openTransaction(
      database,
      id,
      async (fresh) => {
        await mayBeIdle(fresh);
        if (isRepeated) await fresh.script(`drop schema if exists "${place.schema}" cascade`);
        await prepare(deps, database, fresh, heading, place, dataKey ?? newDataKey(keyring, place));
        made = await tablesOf(fresh, place.schema);
      },
      signal,
    );
  });
  const tx = opened.given;
  const proof = checksum();
  return {
    giveUp: opened.fail,
    async table(table, rows) {
      const twin = made.find(({ name: known }) => known === table.name);
      if (!twin) throw differs(table.name);
      await writeRows(tx, identifier(place.schema, table.name), table, async (write) => {
        for await (const bytes of rows) await write(bytes);
      });
      proof.add(table, await readRows(tx, place.schema, { ...table, key: twin.key }));
    },
    async end(known) {
      if (proof.digest() !== known.checksum) throw differs(name);
      await refuseOtherWorkspace(tx, place.schema, heading.model);
      const { obstacles } = await addBuiltIns(tx, place, heading.schema_version);
      await settleIn(deps, tx, place);
      await opened.end();
      await directory.setSchemaVersion(id, knownVersion(schemaVersion, obstacles));
      const { rows, checksum: sum } = known;
      return {
        organizationId: id,
        name,
        datasource: datasource.name,
        rows,
        checksum: sum,
        secretsKept: dataKey !== undefined,
      };
    },
  };
}

/** Opens the restoration under the organization's lock; at its end the organization becomes active. */
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
  signal: AbortSignal | undefined,
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
      signal,
    ),
  );
}

async function prepare(
  { clock }: ProvisionDeps,
  { engine }: Database,
  tx: Transaction,
  { model, created_at, awaited_fields: awaited = [] }: OrganizationHeading,
  place: { readonly id: string; readonly schema: string },
  dataKey: string,
): Promise<void> {
  await createSchema(engine, tx, place, model);
  const { name, currency, timezone, version } = model;
  const schemaVersion = latestVersion(allMigrations.organization);
  await tx.run(
    statement(sql`insert into ${identifier(place.schema, '_organization')}
      (id, name, currency, timezone, epoch, model_version, schema_version, data_key, created_at, awaited_fields)
      values (${place.id}::uuid, ${name}, ${currency}, ${timezone},
        greatest(${model.epoch}::bigint + 1, ${String(clock.now())}::bigint),
        ${version}::bigint, ${schemaVersion}::integer, ${dataKey}, ${created_at}::timestamptz, ${awaited}::text[])`),
  );
}

type Place = Pick<Plan, 'id' | 'schema'>;

/** Adjusts the copied rows to their new place. */
async function settleIn(deps: ProvisionDeps, tx: Transaction, place: Place): Promise<void> {
  await continueHistory(tx, place.schema);
  await pauseWebhooks(tx, place.schema);
  await enterPeople(deps, tx, place);
  await enterHooks(deps, tx, place);
}

/**
 * Enters provider hooks for the organization. If the original continues to exist, the accounts are paused: only the
 * original fetches messages.
 */
async function enterHooks({ directory }: ProvisionDeps, tx: Transaction, { id, schema }: Place): Promise<void> {
  const { rows } = await tx.run(
    statement(sql`select a.id, a.workspace_user_id from ${identifier(schema, '_integrations')} a
      where a.settings is not null`),
  );
  const accounts = rows.map(([own, owner]) => ({ integrationId: own ?? '', workspaceUserId: owner ?? '' }));
  const elsewhere = await directory.enterHooks(id, accounts);
  if (elsewhere.length === 0) return;
  // What one of them fetches, the other never sees; so no messages are sent from here either.
  const reason = 'Restored beside the original: connect it again where it is to go on';
  await tx.run(
    statement(sql`update ${identifier(schema, '_integrations')} set settings = null, status = 'error', last_error = ${reason}
      where id = any(${elsewhere}::uuid[])`),
  );
}

/** Pauses webhooks, since the original may continue and events must not be sent twice. */
async function pauseWebhooks(tx: Transaction, schema: string): Promise<void> {
  const reason = 'Restored from a backup: whoever created it sets it active where it is to go on';
  await tx.run(
    statement(sql`update ${identifier(schema, '_webhooks')} set state = 'paused', reason = ${reason}
      where state = 'active'`),
  );
}

/** Matches people by address; their ids may differ from those in the backup. */
async function enterPeople(
  { directory }: ProvisionDeps,
  tx: Transaction,
  { id: organizationId, schema }: Place,
): Promise<void> {
  const table = identifier(schema, '_users');
  const { rows } = await tx.run(statement(sql`select id, user_id, email, name from ${table}`));
  for (const [id, userId, email, name] of rows) {
    const person = await directory.personByEmail(email ?? '', name ?? '');
    await directory.addMember(person, organizationId);
    if (person === userId) continue;
    await tx.run(statement(sql`update ${table} set user_id = ${person}::uuid where id = ${id ?? null}::uuid`));
  }
}
