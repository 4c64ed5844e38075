/** Provider ids of messages that Kith sent. */
import type { Call } from '../access/call.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { storableKey } from './storable-text.ts';

/**
 * An SQL value for `external_id` of the updated message: the provider's id, unless a message has it already:
 * the provider's echo may have been stored first.
 */
export function externalIdUnlessTaken({ workspace }: Call, owner: string, channel: string, id: string): Sql {
  const key = storableKey(id);
  return sql`case when exists (select from ${workspace.table('_interactions')} o where o.owner_id = ${owner}::uuid
    and o.channel = ${channel} and o.external_id = ${key}) then external_id else ${key} end`;
}
