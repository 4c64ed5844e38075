/** Marks in mailboxes: read and favorite, which the service itself does not keep. [spec: crm_mark_email] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { sql, statement } from '../postgres/sql.ts';
import { accountsIn, accountsOf, type Account } from './accounts.ts';
import { ChannelFailure } from './channel-failure.ts';
import type { Mark } from './provider.ts';
import { senderOf } from './providers.ts';
import { ownThreadIn, threadWithId } from './own-thread.ts';

/** Marks the caller's email thread in its mailbox. Throws PERMISSION_DENIED, RECORD_NOT_FOUND, INVALID_CHANNEL and NO_ACCOUNT. */
export async function markThread(call: Call, { threadId, action }: Mark): Promise<string> {
  const takingPart = sql`select a.id from ${call.workspace.table('_integrations')} a
    join ${call.workspace.table('_participants')} p on p.address = lower(a.account_email)
    where a.workspace_user_id = ${call.me}::uuid and p.thread_id = `;
  const thread = threadWithId(call, threadId);
  const mailboxes = statement(sql`${takingPart}${threadId.toLowerCase()}::uuid`, call.model.version);
  const [found, accounts, theirs] = await call.workspace.read(thread, accountsOf(call, 'email'), mailboxes);
  const { id, channel } = ownThreadIn(found, threadId);
  if (channel !== 'email')
    throw errors.invalidChannel(`Only threads of email can be marked, and this one is of ${channel}`, ['email']);
  const account = mailboxAmong(accountsIn(accounts), new Set(theirs?.rows.map(([accountId]) => accountId ?? '')));
  try {
    await call.sendOut(() => senderOf(account).mark(call, account, { threadId: id, action }));
  } catch (error) {
    throw error instanceof ChannelFailure ? errors.markFailed(error.message) : error;
  }
  return id;
}

/** The mailbox that the thread is in: one that takes part in it, else the first; it has to be connected. */
function mailboxAmong(accounts: readonly Account[], takingPart: ReadonlySet<string>): Account {
  const theirs = accounts.filter(({ id }) => takingPart.has(id));
  const account = (theirs.length > 0 ? theirs : accounts).find(({ status }) => status === 'active');
  if (account) return account;
  throw errors.noAccount('You have no connected account for email that the thread is in: it cannot be marked');
}
