/** The ids that providers give to messages which were sent from here. */
import type { Call } from '../access/call.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { storableKey } from './storable-text.ts';

/**
 * The provider's id for the message that is updated, unless another message has it: the echo of this one may have come
 * first, as a message of its own.
 */
export function externalIdUnlessTaken({ workspace }: Call, owner: string, channel: string, id: string): Sql {
  const key = storableKey(id);
  return sql`case when exists (select from ${workspace.table('_interactions')} o where o.owner_id = ${owner}::uuid
    and o.channel = ${channel} and o.external_id = ${key}) then external_id else ${key} end`;
}
