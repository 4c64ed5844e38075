/** Restores organizations from a backup, under their old id or another one, on any datasource. */
import { errors, quoted } from '../errors.ts';
import { isUuid, newId } from '../lib/id.ts';
import { schemaName } from '../model/names.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { withArchive, type Archive } from './archive.ts';
import { unpackDataKey, type BackupKeys } from './backup-keys.ts';
import { readContents, type OrganizationHeading } from './contents.ts';
import { refuseUnfit } from './fit.ts';
import { beginRestoration, type Plan, type Restoration, type Restored } from './restore-organization.ts';
import type { Table } from './tables.ts';

export interface RestoreRequest {
  readonly path: string;
  /** The organization to restore; defaults to all. */
  readonly only?: string;
  /** The new id, or `new` for a random one; defaults to the old one. */
  readonly as?: string;
  /** A datasource's name; defaults to the old one if it exists, or else `main`. */
  readonly datasource?: string;
  readonly passphrase?: string;
  /** Aborts it; an incomplete organization is removed. */
  readonly signal?: AbortSignal;
}

/**
 * Restores after checking the whole file and that everything in it fits. Throws CONFLICT for an existing organization,
 * VALIDATION_ERROR for a changed file or missing keys, NOT_SUPPORTED for a newer program's. No token is valid for what was
 * restored.
 */
export function restore(deps: ProvisionDeps, request: RestoreRequest): Promise<readonly Restored[]> {
  const { path, passphrase, signal } = request;
  const work = async (archive: Archive) => {
    const found = await survey(archive);
    const plans = await planFor(deps, archive.keys, found, request);
    for (const { heading, tables, datasource } of plans) {
      const database = await deps.directory.databaseOf({ datasourceId: datasource.id });
      await refuseUnfit(database, heading, tables);
    }
    return carryOut(deps, archive, plans, signal);
  };
  return withArchive(path, deps.keyring, passphrase, work, signal);
}

/** An organization in the file. */
interface Found {
  readonly heading: OrganizationHeading;
  readonly tables: readonly Table[];
}

/** Reads the whole file. */
async function survey(archive: Archive): Promise<readonly Found[]> {
  const found: { heading: OrganizationHeading; tables: Table[] }[] = [];
  await readContents(archive, {
    async organization(heading) {
      found.push({ heading, tables: [] });
    },
    async table(table, rows) {
      found.at(-1)?.tables.push(table);
      for await (const _ of rows);
    },
    async endOfOrganization() {},
  });
  return found;
}

/** The organization by id, or else by name. Throws NOT_FOUND, and VALIDATION_ERROR for an ambiguous name. */
function theOne(found: readonly Found[], only: string): Found {
  const isMeant = ({ heading: { id, model } }: Found) => [id, model.name].includes(only);
  const [first, ...others] = found.filter(isMeant);
  if (!first) throw errors.notFound(`The backup has no organization ${quoted(only)}`);
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ heading }) => heading.id).join(', ');
  throw errors.validation(`Several organizations of the backup are called so; give the id of one: ${ids}`);
}

async function planFor(
  deps: ProvisionDeps,
  keys: BackupKeys,
  found: readonly Found[],
  { only, as, datasource }: RestoreRequest,
): Promise<readonly Plan[]> {
  const wanted = only === undefined ? found : [theOne(found, only)];
  if (wanted.length === 0) throw errors.notFound('The backup has no organization');
  if (as !== undefined && wanted.length > 1) {
    throw errors.validation('The backup holds several organizations: say with --only which one gets the new id');
  }
  if (as !== undefined && as !== 'new' && !isUuid(as)) throw errors.validation(`${quoted(as)} is not an id`);
  const plans: Plan[] = [];
  for (const { heading, tables } of wanted) {
    const id = as === 'new' ? newId() : (as?.toLowerCase() ?? heading.id);
    await refuseKnown(deps, id);
    const place = { id, schema: schemaName(id) };
    const { data_key: packed } = heading;
    const dataKey = packed === null ? undefined : unpackDataKey(deps.keyring, keys, heading.id, place, packed);
    plans.push({ ...place, heading, tables, datasource: await datasourceFor(deps, heading, datasource), dataKey });
  }
  return plans;
}

/** Reads the file again and restores what is planned. */
async function carryOut(
  deps: ProvisionDeps,
  archive: Archive,
  plans: readonly Plan[],
  signal: AbortSignal | undefined,
): Promise<readonly Restored[]> {
  const restored: Restored[] = [];
  let current: Restoration | undefined;
  await readContents(archive, {
    async organization({ id }) {
      const plan = plans.find(({ heading }) => heading.id === id);
      current = plan && (await beginRestoration(deps, plan, signal));
    },
    async table(table, rows) {
      if (current) await current.table(table, rows);
      else for await (const _ of rows);
    },
    async endOfOrganization(known) {
      if (current) restored.push(await current.end(known));
    },
  }).catch(async (error: unknown) => {
    await current?.giveUp(error);
    throw error;
  });
  return restored;
}

async function refuseKnown({ directory }: ProvisionDeps, id: string): Promise<void> {
  directory.forget(id);
  if (await directory.organization(id)) {
    throw errors.conflict(`There is an organization ${quoted(id)} already; --new-id restores beside it`);
  }
}

async function datasourceFor(
  { directory }: ProvisionDeps,
  { datasource }: OrganizationHeading,
  wanted: string | undefined,
) {
  const known = await directory.datasources();
  return directory.datasourceNamed(wanted ?? (known.some(({ name }) => name === datasource) ? datasource : 'main'));
}
