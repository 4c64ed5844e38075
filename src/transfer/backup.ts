/** Backs up organizations into one file while they are in use. Each is one snapshot. */
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Organization } from '../directory/directory.ts';
import { errors } from '../errors.ts';
import { newFile } from '../lib/new-file.ts';
import { ownVersion } from '../lib/own-version.ts';
import { codeOf } from '../lib/thrown.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import type { Transaction } from '../postgres/database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { asFileError, writeArchive, writtenArchive, type ArchiveWriter } from './archive.ts';
import { newBackupKeys, packDataKey, type BackupKeys } from './backup-keys.ts';
import { leftOut, readContents, type Contents, type Heading, type OrganizationHeading } from './contents.ts';
import { freeze, readRows, tablesOf } from './tables.ts';

export interface BackupRequest {
  readonly path: string;
  /** Defaults to all organizations. */
  readonly organizationId?: string;
  /** Derives the keys of the backup; without one, the root secret does. */
  readonly passphrase?: string;
  /** Aborts it, leaving no file. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a new file, reads it back, and returns its contents. Throws NOT_FOUND for an unknown organization or folder, and
 * CONFLICT for an existing file.
 */
export async function backUp(deps: ProvisionDeps, request: BackupRequest): Promise<Contents> {
  const { directory, clock } = deps;
  const { path, organizationId, passphrase, signal } = request;
  const organizations =
    organizationId === undefined
      ? await directory.organizations()
      : [await directory.requireOrganization(organizationId)];
  const draft = await newDraft(path);
  try {
    const keys = newBackupKeys(deps.keyring, passphrase);
    await writeArchive(path, draft.handle, keys, async (archive) => {
      const heading: Heading = { kith: ownVersion(), made_at: new Date(clock.now()).toISOString() };
      await archive.document(heading);
      for (const organization of organizations) await writeOrganization(deps, archive, organization, keys, signal);
    });
    const contents = await readContents(await writtenArchive(path, draft.handle, keys, signal));
    await draft.finish(false).catch((error: unknown) => {
      throw asFileError(path, error);
    });
    return contents;
  } finally {
    await draft.discard();
  }
}

/** Checked first: an existing name is reported before the work. */
async function newDraft(path: string) {
  try {
    if (await lstat(path).catch(() => undefined)) throw Object.assign(new Error('It is there'), { code: 'EEXIST' });
    return await newFile(path);
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? errors.noFolder(path, dirname(path)) : asFileError(path, error);
  }
}

async function writeOrganization(
  deps: ProvisionDeps,
  archive: ArchiveWriter,
  organization: Organization,
  keys: BackupKeys,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { id, schema } = organization;
  const database = await deps.directory.databaseOf(organization);
  const write = async (tx: Transaction) => {
    await freeze(tx);
    await archive.document({ organization: await headingOf(deps, tx, organization, keys) });
    for (const table of await tablesOf(tx, schema)) {
      if (leftOut.has(table.name)) continue;
      await archive.document({ table });
      await archive.document(await readRows(tx, schema, table, archive.rows));
    }
    await archive.document({ end: id });
  };
  await database.transaction(id, write, Infinity, signal);
}

async function headingOf(
  { directory, keyring }: ProvisionDeps,
  tx: Transaction,
  { id, schema, datasourceId }: Organization,
  keys: BackupKeys,
): Promise<OrganizationHeading> {
  const settings = sql`select data_key, schema_version, created_at, to_json(awaited_fields) from ${identifier(schema, '_organization')}`;
  const { rows } = await tx.run(statement(settings));
  const [dataKey, schemaVersion, createdAt, awaited] = rows[0] ?? [];
  const datasource = (await directory.datasources()).find((candidate) => candidate.id === datasourceId);
  return {
    id,
    datasource: datasource?.name ?? 'main',
    schema_version: Number(schemaVersion),
    created_at: createdAt ?? '',
    data_key: packDataKey(keyring, keys, { id, schema }, dataKey ?? ''),
    awaited_fields: JSON.parse(awaited ?? '[]') as string[],
    model: await readStoredModel(await tx.run(statement(modelQuery(schema)))),
  };
}
