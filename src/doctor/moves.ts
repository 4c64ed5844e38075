/** Finds interrupted moves between clusters and their left-overs. An organization lies where its schema is. */
import type { Directory } from '../directory/directory.ts';
import { retiredName, type OrganizationPlace } from '../directory/moves.ts';
import { sqlState } from '../postgres/failure.ts';
import { isSameDatabase } from '../postgres/same-database.ts';
import { identifier, sql, statement } from '../postgres/sql.ts';
import type { Cluster } from './clusters.ts';
import { repairing, type Problem } from './finding.ts';

/** Readers from before a move may still use what it left. */
const dropMs = 30_000;
const noSuchTable = '42P01';

/** Problems of moves; organizations being moved or restored now are skipped. */
export async function moveProblems(directory: Directory, clusters: readonly Cluster[]): Promise<readonly Problem[]> {
  const schemas = new Map<Cluster, ReadonlySet<string>>();
  for (const cluster of clusters) schemas.set(cluster, await schemasOf(cluster));
  // Read after the schemas: an organization is in the directory before it has a schema.
  const places = await directory.places();
  const problems = strangers(schemas, places);
  for (const place of places.filter(({ isActive }) => isActive)) {
    const home = clusters.find(({ id }) => id === place.datasourceId);
    const having = (schema: string) => clusters.filter((cluster) => schemas.get(cluster)?.has(schema));
    const copies = having(place.schema).filter((cluster) => cluster !== home);
    const retired = having(retiredName(place.schema));
    const isSuspect = place.movingTo !== undefined || copies.length + retired.length > 0;
    if (!home || !isSuspect || (await directory.isBusy(place.id))) continue;
    const isAtHome = schemas.get(home)?.has(place.schema) === true;
    problems.push(...(await problemsOf(directory, { place, home, isAtHome, copies, retired, clusters })));
  }
  return problems;
}

interface Suspect {
  readonly place: OrganizationPlace;
  readonly home: Cluster;
  readonly isAtHome: boolean;
  /** Other clusters with a schema of that name. */
  readonly copies: readonly Cluster[];
  readonly retired: readonly Cluster[];
  readonly clusters: readonly Cluster[];
}

async function problemsOf(directory: Directory, suspect: Suspect): Promise<Problem[]> {
  const { place, home, isAtHome, copies, retired, clusters } = suspect;
  const { id, schema, movingTo } = place;
  const named = `organization ${id} (${place.name})`;
  const target = clusters.find((cluster) => cluster.id === movingTo);
  const repair = () => settle(directory, id, clusters);
  if (!isAtHome) {
    if (!target || !copies.includes(target)) return []; // reported as an unreadable schema
    const text = `${named} was moved to ${target.name}, and the directory has it on ${home.name}`;
    return [{ text, remedy: repairing, repair }];
  }
  const problems: Problem[] = [];
  const remains = [...retired];
  for (const copy of copies) {
    if (await isRemoved(place, home, copy)) remains.push(copy);
    else if (!(await areSame(home, copy))) {
      const text = `${copy.name} has a schema ${schema} beside that of ${named} on ${home.name}`;
      problems.push({ text, remedy: `if nobody uses it, psql: drop schema ${schema} cascade` });
    }
  }
  if (movingTo !== undefined) {
    const to = target?.name ?? movingTo;
    const text = `a move of ${named} to ${to} was broken off; it lies on ${home.name}`;
    problems.push({ text, remedy: `kith org move --org ${id} --datasource ${to}, or to stay, ${repairing}`, repair });
  } else if (remains.length > 0) {
    const names = [...new Set(remains.map(({ name }) => name))].join(', ');
    problems.push({ text: `${names} has what a move of ${named} left`, remedy: repairing, repair });
  }
  return problems;
}

/** Schemas that look like an organization's but belong to none. */
function strangers(
  schemas: ReadonlyMap<Cluster, ReadonlySet<string>>,
  places: readonly OrganizationPlace[],
): Problem[] {
  const known = new Set(places.flatMap(({ schema }) => [schema, retiredName(schema)]));
  return [...schemas].flatMap(([{ name }, there]) =>
    [...there]
      .filter((schema) => !known.has(schema))
      .map((schema) => ({
        text: `${name} has a schema ${schema} of no organization here`,
        remedy: `if no other installation uses it, psql: drop schema ${schema} cascade`,
      })),
  );
}

/** Corrects the directory, and drops everything of the organization outside its home. */
function settle(directory: Directory, id: string, clusters: readonly Cluster[]): Promise<void> {
  return directory.aloneWith(id, async () => {
    let place = await placeOf(directory, id);
    if (!(await hasSchema(clusterOf(clusters, place), place.schema))) {
      await directory.followMove(place);
      place = await placeOf(directory, id);
    }
    const home = clusterOf(clusters, place);
    if (!(await hasSchema(home, place.schema))) throw new Error('its schema is not where the directory has it');
    for (const cluster of clusters) {
      const isCopy = cluster !== home && (await hasSchema(cluster, place.schema));
      const gone = isCopy && (await isRemoved(place, home, cluster)) ? [place.schema] : [];
      await drop(cluster, id, [retiredName(place.schema), ...gone]);
    }
    await directory.cancelMove(id);
  });
}

async function placeOf(directory: Directory, id: string): Promise<OrganizationPlace> {
  const place = (await directory.places()).find((one) => one.id === id);
  if (!place) throw new Error('it is gone');
  return place;
}

function clusterOf(clusters: readonly Cluster[], { datasourceId }: OrganizationPlace): Cluster {
  const cluster = clusters.find(({ id }) => id === datasourceId);
  if (!cluster) throw new Error('its cluster cannot be reached');
  return cluster;
}

/** Whether another schema of the organization is an unused copy: it is marked as moved, or its move was interrupted. */
async function isRemoved({ id, schema, movingTo }: OrganizationPlace, home: Cluster, copy: Cluster): Promise<boolean> {
  const query = sql`select moved from ${identifier(schema, '_organization')}`;
  const isMarked = await copy.database.run(id, statement(query)).then(
    ({ rows }) => rows[0]?.[0] === 't',
    (error: unknown) => {
      if (sqlState(error) === noSuchTable) return false;
      throw error;
    },
  );
  return (isMarked || movingTo === copy.id) && !(await areSame(home, copy));
}

function areSame(one: Cluster, other: Cluster): Promise<boolean> {
  return one.database.transaction('kith', (tx) => other.database.transaction('kith', (to) => isSameDatabase(tx, to)));
}

async function drop({ database }: Cluster, id: string, schemas: readonly string[]): Promise<void> {
  const drops = schemas.map((schema) => `drop schema if exists "${schema}" cascade`);
  await database.transaction(id, (tx) => tx.script([`set local lock_timeout = '${dropMs}ms'`, ...drops].join('; ')));
}

async function schemasOf({ database }: Cluster): Promise<ReadonlySet<string>> {
  const query = sql`select nspname from pg_namespace where nspname ~ '^(org|moved)_[0-9a-f]{32}$'`;
  return new Set((await database.run('kith', statement(query))).rows.map(([name]) => name ?? ''));
}

async function hasSchema(cluster: Cluster, schema: string): Promise<boolean> {
  return (await schemasOf(cluster)).has(schema);
}
