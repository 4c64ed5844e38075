/** The `Change-Set` that a client chose: it belongs to the first user who writes into it. */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { sql, statement } from '../../postgres/sql.ts';

/** Throws VALIDATION_ERROR if another user began the change set; its contents are not revealed. */
export async function refuseOthersChangeSet({ workspace, changeSet, me, model }: Call): Promise<void> {
  const [found] = await workspace.read(
    statement(
      sql`select h.actor_id is not distinct from ${me}::uuid from ${workspace.table('_history')} h
        where h.change_set = ${changeSet}::uuid limit 1`,
      model.version,
    ),
  );
  if (found?.rows[0]?.[0] === 'f')
    throw errors.validation("The Change-Set header names another user's change set; generate a new UUID");
}
