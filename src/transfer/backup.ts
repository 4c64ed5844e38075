/** Writes organizations into one file while they are used. Each is as it was at one moment. */
import { rename } from 'node:fs/promises';
import type { Organization } from '../directory/directory.ts';
import { ownVersion } from '../lib/own-version.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import type { Transaction } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { writeArchive, type ArchiveWriter } from './archive.ts';
import { format, leftOut, readContents, type Contents, type Heading, type OrganizationHeading } from './contents.ts';
import { dataKeyPacker } from './data-key.ts';
import { freeze, readRows, tablesOf } from './tables.ts';

export interface BackupRequest {
  readonly path: string;
  /** All organizations unless given. */
  readonly organizationId?: string;
  /** Without one, data keys stay sealed with the service's own secret. */
  readonly passphrase?: string;
}

/** Writes the file, reads it back, and says what it holds. Throws NOT_FOUND for an unknown organization. */
export async function backUp(deps: ProvisionDeps, request: BackupRequest): Promise<Contents> {
  const { directory, clock } = deps;
  const { path, organizationId, passphrase } = request;
  const organizations =
    organizationId === undefined
      ? await directory.organizations()
      : [await directory.requireOrganization(organizationId)];
  const pack = dataKeyPacker(deps.keyring, passphrase);
  const draft = `${path}.partial`;
  await writeArchive(draft, async (archive) => {
    const heading: Heading = { kith: ownVersion(), format, made_at: new Date(clock.now()).toISOString() };
    await archive.document(heading);
    for (const organization of organizations) await writeOrganization(deps, archive, organization, pack);
  });
  const contents = await readContents(draft);
  await rename(draft, path); // what was there before stays until here
  return contents;
}

async function writeOrganization(
  deps: ProvisionDeps,
  archive: ArchiveWriter,
  organization: Organization,
  pack: ReturnType<typeof dataKeyPacker>,
): Promise<void> {
  const { id, schema } = organization;
  const database = await deps.directory.databaseOf(organization);
  const write = async (tx: Transaction) => {
    await freeze(tx);
    await archive.document({ organization: await headingOf(deps, tx, organization, pack) });
    for (const table of await tablesOf(tx, schema)) {
      if (leftOut.has(table.name)) continue;
      await archive.document({ table });
      await archive.document(await readRows(tx, schema, table, archive.rows));
    }
    await archive.document({ end: id });
  };
  await database.transaction(id, write, Infinity);
}

async function headingOf(
  { directory }: ProvisionDeps,
  tx: Transaction,
  { id, schema, datasourceId }: Organization,
  pack: ReturnType<typeof dataKeyPacker>,
): Promise<OrganizationHeading> {
  const settings = sql`select data_key, schema_version, created_at from ${identifier(schema, '_organization')}`;
  const { rows } = await tx.run(statement(settings));
  const [dataKey, schemaVersion, createdAt] = rows[0] ?? [];
  const datasource = (await directory.datasources()).find((candidate) => candidate.id === datasourceId);
  return {
    id,
    schema,
    datasource: datasource?.name ?? 'main',
    schema_version: Number(schemaVersion),
    created_at: createdAt ?? '',
    data_key: pack({ id, schema }, dataKey ?? ''),
    model: readStoredModel(await tx.run(statement(modelQuery(schema)))),
  };
}
