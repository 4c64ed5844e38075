/** Brings organizations back from a backup, under the id they had or under another one, on any datasource. */
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
  /** Of several organizations in the file the one that is wanted; all unless given. */
  readonly only?: string;
  /** The id of the restored organization, or `new` for any; the one it had unless given. */
  readonly as?: string;
  /** A name; the datasource it was on, where there is one of that name, else `main`. */
  readonly datasource?: string;
  readonly passphrase?: string;
  /** Breaks it off: what is not restored as a whole is not there. */
  readonly signal?: AbortSignal;
}

/**
 * Checks the whole file, and that all in it fits, before anything is made. Throws CONFLICT where an organization is there already,
 * VALIDATION_ERROR for a file that was changed or whose keys are not at hand, NOT_SUPPORTED for one of a newer program. Nobody has
 * a token for what was restored yet.
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

/** By its id, else by its name. Throws NOT_FOUND, VALIDATION_ERROR where several have the name. */
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

/** Reads the file once more, and writes what is planned. */
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
