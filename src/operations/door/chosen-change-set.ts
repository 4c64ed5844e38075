/** A change set that a client has chosen: whoever writes into it first has it. */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { sql, statement } from '../../postgres/sql.ts';

/** Throws VALIDATION_ERROR where somebody else has begun the change set; what is in it is not told. */
export async function refuseOthersChangeSet({ workspace, changeSet, me, model }: Call): Promise<void> {
  const [found] = await workspace.read(
    statement(
      sql`select h.actor_id is not distinct from ${me}::uuid from ${workspace.table('_history')} h
        where h.change_set = ${changeSet}::uuid limit 1`,
      model.version,
    ),
  );
  if (found?.rows[0]?.[0] === 'f')
    throw errors.validation('The Change-Set header must be a UUID of your own: make a new one');
}
