/** Marks threads as read or favorite in their mailboxes; Kith does not store these marks. [spec: crm_mark_email] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { sql, statement } from '../postgres/sql.ts';
import { accountsIn, accountsOf, type Account } from './accounts.ts';
import { ChannelFailure } from './channel-failure.ts';
import type { Mark } from './provider.ts';
import { senderOf } from './providers.ts';
import { ownThreadIn, threadWithId } from './own-thread.ts';

/**
 * Marks the caller's email thread in its mailbox, and returns its id. Throws PERMISSION_DENIED, RECORD_NOT_FOUND, INVALID_CHANNEL
 * and NO_ACCOUNT; WRITE_FAILED if the server refuses.
 */
export async function markThread(call: Call, { threadId, action }: Mark): Promise<string> {
  const takingPart = sql`select a.id from ${call.workspace.table('_integrations')} a
    join ${call.workspace.table('_participants')} p on p.address = lower(a.account_email)
    where a.workspace_user_id = ${call.me}::uuid and p.thread_id = `;
  const thread = threadWithId(call, threadId);
  const mailboxes = statement(sql`${takingPart}${threadId.toLowerCase()}::uuid`, call.model.version);
  const [found, accounts, members] = await call.workspace.read(thread, accountsOf(call, 'email'), mailboxes);
  const { id, channel } = ownThreadIn(found, threadId);
  if (channel !== 'email')
    throw errors.invalidChannel(`Only email threads can be marked; this is a ${channel} thread`, ['email']);
  const account = mailboxAmong(accountsIn(accounts), new Set(members?.rows.map(([accountId]) => accountId ?? '')));
  try {
    await call.sendOut(() => senderOf(account).mark(call, account, { threadId: id, action }));
  } catch (error) {
    throw error instanceof ChannelFailure ? errors.markFailed(error.message) : error;
  }
  return id;
}

/** The connected account that takes part in the thread; if none of the accounts does, the first connected one. */
function mailboxAmong(accounts: readonly Account[], takingPart: ReadonlySet<string>): Account {
  const members = accounts.filter(({ id }) => takingPart.has(id));
  const account = (members.length > 0 ? members : accounts).find(({ status }) => status === 'active');
  if (account) return account;
  throw errors.noAccount('The thread cannot be marked: you have no connected email account for it');
}
