/** Writes the counted uses of fields from memory into the organizations' databases, where `demand` reads them. */
import type { Directory } from '../../directory/directory.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { standingKey } from '../../jobs/table.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { upkeepKind } from '../../manifest/settle.ts';
import type { Queryable } from '../../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../../postgres/sql.ts';
import { takeUses, type CountedUse } from '../../records/reading/uses.ts';
import { repeat } from './repeat.ts';

interface Parts {
  readonly directory: Pick<Directory, 'organization' | 'databaseOf'>;
  readonly jobs: Pick<Jobs, 'asking'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'debug'>;
}

const rhythm = {
  firstMs: 300_000,
  everyMs: 300_000,
  failed: 'The uses of fields were not entered',
};

/** Writes the counts. If it fails, they are lost. */
export async function handOver({ directory, jobs, clock, log }: Parts): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  // One job serves all processes until then.
  const runAt = Math.ceil(clock.now() / rhythm.everyMs) * rhythm.everyMs;
  for (const [organizationId, uses] of takeUses()) {
    try {
      const organization = await directory.organization(organizationId);
      if (!organization) continue;
      const database = await directory.databaseOf(organization);
      const at: Queryable = { run: (query) => database.run(organizationId, query) };
      await jobs.asking(organization, async (ask) => {
        await at.run(statement(entered(organization.schema, uses, day)));
        await ask(at, { kind: upkeepKind, key: standingKey, input: null, runAt });
      });
    } catch (error) {
      log.debug({ organization: organizationId, error }, 'The uses of fields could not be entered');
    }
  }
}

/** Does so every five minutes. The last counts are lost when the service stops. */
export function keepHandingOver(parts: Parts): () => Promise<void> {
  return repeat(() => handOver(parts), rhythm, parts.log);
}

/** Sorted, so that concurrent processes cannot deadlock. */
function entered(schema: string, uses: readonly CountedUse[], day: string): Sql {
  return sql`insert into ${identifier(schema, '_uses')} as u (object_id, field_id, use, day, count)
    select object_id, field_id, use, ${day}::date, count
    from unnest(${uses.map(({ objectId }) => objectId)}::uuid[], ${uses.map(({ fieldId }) => fieldId)}::text[],
      ${uses.map(({ use }) => use)}::text[], ${uses.map(({ count }) => count)}::bigint[]) n (object_id, field_id, use, count)
    order by object_id, field_id, use
    on conflict (object_id, field_id, use, day) do update set count = u.count + excluded.count`;
}
