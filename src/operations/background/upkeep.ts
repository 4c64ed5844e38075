/** Keeps organizations fast: completes search texts after a change of the workspace, and manages indexes on demand. */
import { Type } from 'typebox';
import { ended, type Aftermath } from '../../access/workspace.ts';
import type { Organization } from '../../directory/directory.ts';
import { defineJob, type JobKind } from '../../jobs/job.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';
import type { Log } from '../../lib/log.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { completeSearch, upkeepKind } from '../../manifest/settle.ts';
import { loadModel } from '../../model/load.ts';
import { statementLimits, type Database } from '../../postgres/database.ts';
import { identifier, sql, statement } from '../../postgres/sql.ts';
import { completeThreadTexts } from '../../records/conversations/thread-texts.ts';
import { indexOnDemand, defaultDemand, type Demand, type Indexed } from './demand.ts';

/**
 * The job kind: runs when the organization was used or changed, and at least daily. On shutdown it stops at once; work
 * begun in a database finishes there or is repeated.
 */
export function keepingUp(clock: Clock, log: Pick<Log, 'info'>): JobKind {
  return defineJob({
    kind: upkeepKind,
    input: Type.Null(),
    againMs: hourMs,
    async run({ database, organization }, signal) {
      const { made, dropped } = await orAborted(upkeep(database, organization, clock.now(), signal), signal);
      if (made.length + dropped.length > 0)
        log.info({ organization: organization.id, made, dropped }, 'Indexes follow the demand');
      return clock.now() + dayMs * (0.8 + Math.random() / 5);
    },
  });
}

/** Completes search texts until `signal` is aborted, then creates and drops indexes. */
export async function upkeep(
  database: Database,
  organization: Organization,
  now: number,
  signal: AbortSignal,
  demand: Demand = defaultDemand,
): Promise<Indexed> {
  await completeTexts(database, organization, signal);
  return indexOnDemand(database, organization, now, demand);
}

/** Most organizations have nothing to complete, which one read tells. */
async function completeTexts(database: Database, organization: Organization, signal: AbortSignal): Promise<void> {
  const { id, schema } = organization;
  const [noted, threads] = await database.read(id, [
    statement(
      sql`select from ${identifier(schema, '_unsettled')}, ${identifier(schema, '_organization')} o where not o.moved`,
    ),
    statement(sql`select from ${identifier(schema, '_threads')} where search_text is null limit 1`),
  ]);
  if (noted?.count === 0 && threads?.count === 0) return;
  const model = await loadModel(database, organization);
  const place: Aftermath = {
    run: (query) => database.run(id, statement(query), statementLimits.bulk), // it may read every row
    // The locks that the work takes itself are enough, and let other writers go on.
    transaction: (body) => database.transaction(id, (tx) => ended(tx, model.version, body)),
  };
  const goesOn = () => !signal.aborted;
  await completeSearch(place, model, goesOn);
  await completeThreadTexts(place, model, goesOn);
}
