/** Delivery states from providers, and matching of their echoes to sends with unknown outcome. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { openBody, vaultIn } from '../../records/conversations/contents.ts';
import { firstLine } from '../channel-failure.ts';
import { externalIdUnlessTaken } from '../external-id.ts';
import { noteFailures, type Mailbox } from '../mailbox.ts';
import { storableKey } from '../storable-text.ts';
import type { ChatMessage } from './take-messages.ts';

/** Delivery states in their order, so that a late report of an earlier state is ignored. */
export const deliveryStates = ['sent', 'delivered', 'read', 'failed'] as const;

export interface DeliveryState {
  /** The message's id at the provider. */
  readonly id: string;
  /** The id that Kith sent it with; undefined if the provider does not repeat it. */
  readonly sentAs?: string | undefined;
  readonly state: (typeof deliveryStates)[number];
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** The state of that name; undefined for any other name. */
export function deliveryStateIn(name: string | undefined): DeliveryState['state'] | undefined {
  return deliveryStates.find((state) => state === name);
}

/** Stores the reported states of own messages; unknown messages are ignored. */
export async function noteDeliveries(
  call: Call,
  tx: WorkspaceTransaction,
  account: Mailbox,
  channel: string,
  reported: readonly DeliveryState[],
): Promise<void> {
  const { workspace, now } = call;
  for (const { id, sentAs, state, reason } of reported) {
    const ids = [id, ...(sentAs === undefined ? [] : [sentAs])].map(storableKey);
    const { count } = await tx.run(sql`update ${workspace.table('_interactions')} i
      set delivery = ${state}, external_id = ${externalIdUnlessTaken(call, account.owner, channel, id)}, updated_at = ${instant(now)}
      where i.owner_id = ${account.owner}::uuid and i.channel = ${channel} and i.direction = 'outbound' and i.external_id = any(${ids}::text[])
        and coalesce(array_position(${[...deliveryStates]}::text[], i.delivery), 0) < array_position(${[...deliveryStates]}::text[], ${state})`);
    if (count === 0 || state !== 'failed') continue;
    const failed = { uid: storableKey(id), reason: firstLine(reason ?? '') || 'no reason given' };
    await noteFailures(call, tx, account, channel, [failed]);
  }
}

/** The longest time between a send with unknown outcome and the provider's date of the message that may be it. */
const unknownMs = 600_000;

/**
 * Matches own messages from a provider to sends with unknown outcome, which get the provider's id. Call it before the messages are
 * stored.
 */
export async function recognizeSent(
  call: Call,
  tx: WorkspaceTransaction,
  { owner }: Mailbox,
  channel: string,
  messages: readonly ChatMessage[],
): Promise<void> {
  const own = messages.filter(({ isOwn }) => isOwn);
  if (own.length === 0) return;
  const { workspace } = call;
  const interactions = workspace.table('_interactions');
  const chats = own.map(({ chatId }) => storableKey(chatId));
  const { rows } =
    await tx.run(sql`select i.id, t.external_thread_id, c.body, extract(epoch from i.created_at) * 1000 from ${interactions} i
    join ${workspace.table('_threads')} t on t.id = i.interaction_thread_id
    join ${workspace.table('_interaction_contents')} c on c.interaction_id = i.id
    where i.owner_id = ${owner}::uuid and i.channel = ${channel} and i.direction = 'outbound' and i.delivery = 'unknown'
      and t.external_thread_id = any(${chats}::text[])
    order by i.id for update of i`);
  if (rows.length === 0) return;
  const vault = await vaultIn(call, tx);
  const candidates = rows.map(([id, chat, body, createdAt]) => ({
    id: id ?? '',
    chat,
    createdAt: Number(createdAt),
    text: openBody(vault, id ?? '', body ?? '').content_text ?? '',
  }));
  for (const { id, chatId, text, date } of own) {
    const isNear = (createdAt: number) => Math.abs(Date.parse(date) - createdAt) < unknownMs;
    const at = candidates.findIndex(
      (one) => one.chat === storableKey(chatId) && isNear(one.createdAt) && isSameText(one.text, text),
    );
    const [found] = at === -1 ? [] : candidates.splice(at, 1);
    if (!found) continue;
    await tx.run(sql`update ${interactions} i set external_id = ${storableKey(id)}, delivery = null
      where i.id = ${found.id}::uuid and not exists (select from ${interactions} o where o.owner_id = ${owner}::uuid
        and o.channel = ${channel} and o.external_id = ${storableKey(id)})`);
  }
}

/** Compares with white space normalized, since providers change it. */
function isSameText(a: string, b: string): boolean {
  const bare = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  return bare(a) === bare(b);
}
