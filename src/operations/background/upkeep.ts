/** What keeps organizations fast, beside traffic: search texts that a change of the workspace has left to do, and indexes on demand. */
import { transactionOf, type Aftermath } from '../../access/workspace.ts';
import type { Directory, Organization } from '../../directory/directory.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { completeSearch } from '../../manifest/settle.ts';
import { loadModel } from '../../model/load.ts';
import { statementLimits, type Database } from '../../postgres/database.ts';
import { identifier, sql, statement } from '../../postgres/sql.ts';
import { indexOnDemand, usualDemand, type Demand } from './demand.ts';
import { repeat } from './repeat.ts';

interface Parts {
  readonly directory: Pick<Directory, 'organizations' | 'databaseOf'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const rhythm = {
  firstMs: 60_000,
  everyMs: 300_000,
  failed: 'The upkeep failed; the next one tries again',
};

/** Goes through all organizations, one after the other, until `signal` is aborted. One that fails is logged, and the others follow. */
export async function upkeep(
  { directory, clock, log }: Parts,
  signal: AbortSignal,
  demand: Demand = usualDemand,
): Promise<void> {
  for (const organization of await directory.organizations()) {
    if (signal.aborted) break;
    const { id } = organization;
    try {
      const database = await directory.databaseOf(organization);
      await completeTexts(database, organization, signal);
      const { made, dropped } = await indexOnDemand(database, organization, clock.now(), demand);
      if (made.length + dropped.length > 0) log.info({ organization: id, made, dropped }, 'Indexes follow the demand');
    } catch (error) {
      if (!signal.aborted)
        log.warn({ organization: id, error }, 'An organization was not kept up; the next upkeep tries again');
    }
  }
}

/** Most organizations have nothing to complete, which one read says. */
async function completeTexts(database: Database, organization: Organization, signal: AbortSignal): Promise<void> {
  const { id, schema } = organization;
  const [noted] = await database.read(id, [
    statement(
      sql`select from ${identifier(schema, '_unsettled')}, ${identifier(schema, '_organization')} o where not o.moved`,
    ),
  ]);
  if (noted?.count === 0) return;
  const model = await loadModel(database, organization);
  const place: Aftermath = {
    run: (query) => database.run(id, statement(query), statementLimits.bulk), // it may look at every row
    // The lock of `completeSearch` itself is enough: it lets other writers go on.
    exclusive: (body) => database.transaction(id, (tx) => body(transactionOf(tx, model.version))),
  };
  await completeSearch(place, model, () => !signal.aborted);
}

/** Soon and then every five minutes. Returned is what ends it at once: what was begun in a database ends there, or is begun anew. */
export function keepUp(parts: Parts): () => Promise<void> {
  const work = async (signal: AbortSignal) => {
    try {
      await orAborted(upkeep(parts, signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return repeat(work, rhythm, parts.log);
}
