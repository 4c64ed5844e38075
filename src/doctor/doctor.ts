/** Examines an installation: databases, schemas, keys and totals. Changes nothing unless asked to repair. */
import type { Keyring } from '../auth/keys.ts';
import type { Directory, Organization } from '../directory/directory.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/thrown.ts';
import { storeTrouble } from '../limits/open.ts';
import { loadModel } from '../model/load.ts';
import type { Database } from '../postgres/database.ts';
import { isNoAnswer } from '../postgres/failure.ts';
import { builtInObstacles } from '../provision/built-ins.ts';
import { migrationStatus, type SchemaStatus } from '../provision/migration-status.ts';
import { checkDurability, checkExtensions, checkReached, reachClusters, type Cluster } from './clusters.ts';
import { listed, type Finding, type Problem } from './finding.ts';
import { examineDataKey, secretProblems, type SecretPlace } from './keys.ts';
import { jobProblems, trashProblems, unfinishedProblems, pendingReindex } from './left-overs.ts';
import { moveProblems } from './moves.ts';
import { checkRole } from './role.ts';
import { compareStructure, unreadable } from './structure.ts';
import { totalProblems } from './totals.ts';
import { soMany } from '../lib/so-many.ts';

export interface Patient {
  readonly main: Database;
  readonly directory: Directory;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly secret: SecretPlace;
  /** The store of rate limits; undefined if the service counts itself. */
  readonly redisUrl?: string | undefined;
  /** Whether `main` is the embedded PostgreSQL. */
  readonly isEmbedded: boolean;
}

/** Problems of the organizations' schemas. */
interface Examined {
  readonly schemas: Problem[];
  readonly keys: Problem[];
  readonly leftOvers: Problem[];
  readonly totals: Problem[];
  /** Information on indexes on demand and pending search texts. */
  readonly onDemand: string[];
  readonly pendingReindex: string[];
  organizations: number;
  unread: number;
  oldKeys: number;
}

/** All checks, in the order of their dependencies. */
export async function examine(patient: Patient): Promise<readonly Finding[]> {
  const { main, directory } = patient;
  const clusters = await reachClusters(main, directory);
  const status = await migrationStatus(main, directory);
  const isMade = status.some(({ schema, version }) => schema === 'kith' && version !== 0);
  const examined: Examined = {
    schemas: [],
    keys: [],
    leftOvers: [],
    totals: [],
    onDemand: [],
    pendingReindex: [],
    organizations: 0,
    unread: 0,
    oldKeys: 0,
  };
  if (isMade) {
    examined.leftOvers.push(...(await unfinishedProblems(main, directory, patient.clock.now())));
    examined.leftOvers.push(...(await moveProblems(directory, clusters.reached)));
    const bySchema = new Map(status.map((one) => [one.schema, one]));
    for (const organization of await directory.organizations()) {
      const cluster = clusters.reached.find(({ id }) => id === organization.datasourceId);
      const state = bySchema.get(organization.schema)?.state;
      if (!cluster) continue;
      // Schemas of other versions are examined after their migration; an unreadable one reports the reason here.
      if (state === 'up to date' || state === 'unknown')
        await examineOrganization(patient, cluster, organization, examined);
    }
  }
  const { organizations, unread, oldKeys } = examined;
  const all = soMany(organizations, 'organization');
  const old = oldKeys === 0 ? '' : `; ${oldKeys} sealed with an earlier secret: kith keys rotate`;
  return [
    await checkReached(clusters),
    await checkDurability(clusters),
    await checkRole(clusters, patient.isEmbedded),
    await checkExtensions(clusters),
    checkMigrations(status),
    { name: 'schemas', problems: examined.schemas, fine: `${all} as the model has it` },
    {
      name: 'keys',
      problems: [...(isMade ? await secretProblems(patient.secret) : []), ...examined.keys],
      fine: `${all} opened${old}${unread === 0 ? '' : `; ${unread} could not be read`}`,
    },
    await checkStore(patient.redisUrl),
    { name: 'left-overs', problems: examined.leftOvers, fine: 'none' },
    { name: 'totals', problems: examined.totals, fine: 'as counted' },
    { name: 'indexes', problems: [], fine: `on demand: ${listed(examined.onDemand)}` },
    { name: 'search', problems: [], fine: `texts being made anew: ${listed(examined.pendingReindex)}` },
  ];
}

/** The checks that are possible without the main database. */
export async function examineWithoutDatabase(
  error: unknown,
  { secret, isEmbedded, redisUrl }: Pick<Patient, 'secret' | 'isEmbedded' | 'redisUrl'>,
): Promise<readonly Finding[]> {
  const settings = isEmbedded ? 'its files are in KITH_DATA_DIR' : 'start it, or correct DATABASE_URL';
  const remedy = isNoAnswer(error)
    ? 'it is frozen or overloaded; let it go on (kill -CONT), or restart it'
    : `${settings} (kith config shows it)`;
  return [
    { name: 'database', problems: [{ text: messageOf(error), remedy }], fine: '' },
    {
      name: 'keys',
      problems: await secretProblems(secret),
      fine: 'the secret is there; what it seals could not be read',
    },
    await checkStore(redisUrl),
  ];
}

export interface Repaired {
  /** After the repair. */
  readonly findings: readonly Finding[];
  /** Failed repairs, a sentence each. */
  readonly failed: readonly string[];
}

/** Repairs what it can; twice, since one problem may hide another. */
export async function examineAndRepair(patient: Patient): Promise<Repaired> {
  let failed: readonly string[] = [];
  for (let round = 0; round < 2; round++) failed = await repairAll(await examine(patient));
  return { findings: await examine(patient), failed };
}

async function repairAll(findings: readonly Finding[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { text, repair } of findings.flatMap(({ problems }) => problems)) {
    try {
      await repair?.();
    } catch (error) {
      failed.push(`Not repaired: ${text} (${messageOf(error)})`);
    }
  }
  return failed;
}

async function examineOrganization(
  { keyring, clock }: Patient,
  { database }: Cluster,
  organization: Organization,
  examined: Examined,
): Promise<void> {
  try {
    const model = await loadModel(database, organization);
    const structure = await compareStructure(database, model);
    examined.schemas.push(...structure.schemas);
    const { schema } = organization;
    examined.schemas.push(
      ...builtInObstacles(model).map(({ text, remedy }) => ({ text: `${schema}: ${text}`, remedy })),
    );
    examined.leftOvers.push(...structure.leftOvers);
    examined.onDemand.push(...structure.onDemand.map((index) => `${organization.schema}.${index}`));
    const key = await examineDataKey(database, keyring, organization);
    if (key.problem) examined.keys.push(key.problem);
    if (key.isOld) examined.oldKeys++;
    examined.organizations++;
    // The remaining checks read tables that must exist.
    if (structure.schemas.some(({ repair }) => repair === undefined)) return;
    examined.leftOvers.push(...(await trashProblems(database, organization, model, clock.now())));
    examined.leftOvers.push(...(await jobProblems(database, organization, model, clock.now())));
    examined.totals.push(...(await totalProblems(database, model)));
    examined.pendingReindex.push(...(await pendingReindex(database, model)));
  } catch (error) {
    examined.schemas.push(unreadable(organization.schema, error));
    examined.unread++;
  }
}

function checkMigrations(status: readonly SchemaStatus[]): Finding {
  const problems = status.flatMap(({ schema, version, latest, state, pending }): Problem[] => {
    if (state === 'behind') return [{ text: `${schema} lacks ${pending.join(', ')}`, remedy: 'kith migrate' }];
    if (state !== 'too new') return [];
    const text = `${schema} was made by a newer Kith (its version is ${version}, this program knows ${latest})`;
    return [{ text, remedy: 'start the newer program' }];
  });
  return { name: 'migrations', problems, fine: 'up to date' };
}

async function checkStore(redisUrl: string | undefined): Promise<Finding> {
  if (redisUrl === undefined)
    return { name: 'store', problems: [], fine: 'rate limits are counted in the service itself' };
  const trouble = await storeTrouble(redisUrl);
  const remedy = 'until it does, requests are let through; start it, or correct REDIS_URL (kith config shows it)';
  const problems = trouble === undefined ? [] : [{ text: `what is at REDIS_URL does not count: ${trouble}`, remedy }];
  return { name: 'store', problems, fine: 'rate limits are counted at REDIS_URL' };
}
