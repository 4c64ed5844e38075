/**
 * Sends messages at most once. A message is first claimed, in one transaction that repeats all checks, uses up the confirmation,
 * and inserts the message into its thread. A claim that is never recorded as sent has an unknown outcome, and is not sent again.
 * [spec: Outbound message; decisions: Confirmation token]
 */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { errors, KithError } from '../errors.ts';
import { newId } from '../lib/id.ts';
import { instant, sql, type Sql } from '../postgres/sql.ts';
import { vaultIn } from '../records/conversations/contents.ts';
import { keepMessage } from '../records/conversations/ingest.ts';
import { removeMessages } from '../records/conversations/remove-messages.ts';
import { accountsIn, lockedAccount, senderAmong } from './accounts.ts';
import { ChannelFailure } from './channel-failure.ts';
import { confirmationIn } from './confirmation.ts';
import type { Delivery } from './provider.ts';
import { senderOf } from './providers.ts';
import { externalIdUnlessTaken } from './external-id.ts';
import { noteExpired } from './kept-accounts.ts';
import type { Draft } from './outgoing-message.ts';
import { heldThread, notOwn } from './own-thread.ts';

/** Within this time, the same message again counts as a repetition. */
const repetitionMs = 60_000;

export interface Sent extends Pick<Delivery, 'messageId' | 'threadId'> {
  /** Whether this is an earlier, identical message, so that nothing was sent now. */
  readonly isRepetition: boolean;
}

/**
 * Sends the draft, unless an identical one was sent within a minute. Throws CONFIRM_INVALID, CONFIRM_MISMATCH, RATE_LIMITED,
 * SEND_FAILED, SEND_UNKNOWN, and the errors of account and thread if they have changed since the preview.
 */
export async function sendDraft(call: Call, draft: Draft, digest: string, token: string): Promise<Sent> {
  const sender = senderOf(draft.account);
  const { id, ...sent } = await call.workspace.transaction((tx) => claimed(call, tx, draft, digest, token));
  if (sent.isRepetition) return sent;
  const { messageId, threadId } = sent;
  const { account, thread, message, plain } = draft;
  const delivery = { messageId, threadId, externalThreadId: thread?.externalId ?? messageId, message, plain };
  let providerId: string;
  try {
    providerId = (await call.sendOut(() => sender.send(call, account, delivery))) ?? messageId;
  } catch (error) {
    if (error instanceof KithError) throw error;
    if (!(error instanceof ChannelFailure)) throw errors.sendUnknown(error);
    await call.workspace.afterwards(({ transaction }) => transaction((tx) => takeBack(call, tx, id, messageId)));
    const expired = noteExpired(call, account.id, error.message);
    if (error.isRefusal) await call.workspace.afterwards(async ({ run }) => void (await run(expired)));
    throw errors.sendFailed(error.message);
  }
  await call.workspace.afterwards(async ({ run }) => {
    await run(sql`update ${call.workspace.table('_sends')} set sent_at = ${instant(call.now)}, message_id = ${providerId}
      where id = ${id}::uuid`);
    await run(sql`update ${call.workspace.table('_interactions')} set delivery = nullif(delivery, 'unknown'),
      external_id = ${externalIdUnlessTaken(call, call.me, message.channel, providerId)} where ${isMessage(call, messageId)}`);
  });
  return { ...sent, messageId: providerId };
}

/** Undoes the claim of a message that was not sent: removes it from its thread, and allows it to be sent again at once. */
async function takeBack(call: Call, tx: WorkspaceTransaction, id: string, messageId: string): Promise<void> {
  await tx.run(sql`delete from ${call.workspace.table('_sends')} where id = ${id}::uuid`);
  const { rows } = await tx.run(
    sql`select id from ${call.workspace.table('_interactions')} where ${isMessage(call, messageId)}`,
  );
  await removeMessages(
    call,
    tx,
    rows.map(([own]) => own ?? ''),
  );
}

function isMessage({ me }: Call, messageId: string): Sql {
  return sql`owner_id = ${me}::uuid and external_id = ${messageId} and direction = 'outbound'`;
}

interface Claim extends Sent {
  /** The id of the confirmation. */
  readonly id: string;
}

async function claimed(
  call: Call,
  tx: WorkspaceTransaction,
  draft: Draft,
  digest: string,
  token: string,
): Promise<Claim> {
  await checkAgain(call, tx, draft);
  const table = call.workspace.table('_sends');
  const earlier = await tx.run(sql`select s.id, s.message_id, s.thread_id, s.sent_at from ${table} s
    where s.workspace_user_id = ${call.me}::uuid and s.digest = ${digest} and s.created_at > ${instant(call.now - repetitionMs)}
    order by s.created_at limit 1`);
  const [first] = earlier.rows;
  if (first) {
    const [firstId, messageId, threadId, sentAt] = first;
    if (sentAt === null)
      call.warn('The first one is still being sent, or was interrupted and nobody knows whether it went out');
    return { id: firstId ?? '', messageId: messageId ?? '', threadId: threadId ?? '', isRepetition: true };
  }
  const id = await confirmed(call, tx, digest, token);
  await call.countSend();
  const delivery = await intoThread(call, tx, draft);
  const used = await tx.run(sql`insert into ${table} (id, workspace_user_id, digest, message_id, thread_id, created_at)
    values (${id}::uuid, ${call.me}::uuid, ${digest}, ${delivery.messageId}, ${delivery.threadId}::uuid, ${instant(call.now)})
    on conflict (id) do nothing`);
  if (used.count === 0) throw usedUp();
  const { channel, to, cc, bcc } = draft.message;
  const recipients = channel === 'email' && { recipients: to.length + cc.length + bcc.length };
  call.audit(tx, 'send', { channel, ...recipients, confirmation: id, thread: delivery.threadId });
  return { id, ...delivery, isRepetition: false };
}

/** Checks that account and thread are still the caller's. Locks the account, so that concurrent identical sends see each other. */
async function checkAgain(call: Call, tx: WorkspaceTransaction, { account, thread, message }: Draft): Promise<void> {
  const accounts = accountsIn(await tx.run(lockedAccount(call, message.channel, account.id)));
  senderAmong(accounts, message.channel, account.address);
  if (!thread) return;
  const { rows } = await tx.run(heldThread(call, thread.id));
  if (rows.length === 0) throw notOwn();
}

/** The id of the confirmation. Throws CONFIRM_INVALID if it was used, and CONFIRM_MISMATCH if it is for another digest. */
async function confirmed(call: Call, tx: WorkspaceTransaction, digest: string, token: string): Promise<string> {
  const confirmation = confirmationIn(await vaultIn(call, tx), call.me, token, call.now);
  const used = await tx.run(sql`select from ${call.workspace.table('_sends')} s where s.id = ${confirmation.id}::uuid`);
  if (used.rows.length > 0) throw usedUp();
  if (confirmation.digest !== digest) throw errors.confirmMismatch();
  return confirmation.id;
}

/** Inserts the message into its thread. A new thread gets the message's id as its external id. */
async function intoThread(
  call: Call,
  tx: WorkspaceTransaction,
  { account, thread, message, plain }: Draft,
): Promise<Pick<Delivery, 'messageId' | 'threadId'>> {
  const { channel, from, to, cc, subject, body } = message;
  const messageId = senderOf(account).newMessageId(newId(), account);
  const threadId = await keepMessage(call, tx, {
    kind: 'interaction',
    owner: call.me,
    channel,
    threadId: thread?.externalId ?? messageId,
    externalId: messageId,
    subject,
    direction: 'outbound',
    date: new Date(call.now).toISOString(),
    // Without bcc: everybody who sees the message sees its participants.
    participants: [...new Set([from, ...to, ...cc])],
    text: channel === 'email' ? null : body,
    html: channel === 'email' ? body : null,
    plain,
    visibility: undefined,
    delivery: 'unknown',
  });
  return { messageId, threadId };
}

const usedUp = () => errors.confirmInvalid('was already used for a message');
