/** Mentions in notes: by user ids in the request; the text is not searched. [spec: Notes] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { quoted, type Mistakes } from '../../errors.ts';
import { restPrefix } from '../../lib/url-paths.ts';
import { activeUsers } from '../people/active-users.ts';

const name = 'mentioned_user_ids';

export const MentionedUsers = Type.Optional(
  Type.Array(Type.String(), { maxItems: 1_000, description: 'Ids of workspace users to notify of the note' }),
);

/**
 * The users to notify, without repetitions and without the caller; they stay active until the transaction ends. Adds ids of
 * no active user to `mistakes`.
 */
export async function usersMentioned(
  call: Call,
  tx: WorkspaceTransaction,
  given: readonly string[],
  mistakes: Mistakes,
): Promise<readonly string[]> {
  const others = new Map(given.map((id) => [id.toLowerCase(), id]));
  others.delete(call.me);
  if (others.size === 0) return [];
  const active = await activeUsers(call, tx, [...others.keys()]);
  for (const [id, asGiven] of others) {
    if (active.has(id)) continue;
    const message = `${name} has ${quoted(asGiven)}, which is no active user: GET ${restPrefix}/users?is_active=true has their ids`;
    mistakes.add({ field: name, message });
  }
  return [...others.keys()];
}
