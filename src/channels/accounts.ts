/** The caller's own connected accounts, and which of them sends or takes a mark. [spec: crm_send_message] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import type { Rows } from '../postgres/database.ts';
import { sql, statement, type Sql, type Statement } from '../postgres/sql.ts';

export interface Account {
  readonly id: string;
  readonly provider: string;
  /** By which its user chooses it, and from which it sends. */
  readonly address: string;
  readonly status: string;
  readonly maySend: boolean;
  /** Whether the service was told how to reach it; else it was brought in for what it had. */
  readonly isReached: boolean;
}

/** Asks for the caller's accounts of the channel, the oldest first; `accountsIn` reads the answer. */
export function accountsOf(call: Call, channel: string): Statement {
  return statement(sql`${selectAccounts(call, channel)} order by a.created_at, a.id`, call.model.version);
}

/** Asks for one of them, which stays as it is until the end of the transaction: who sends from it comes one after the other. */
export function lockedAccount(call: Call, channel: string, id: string): Sql {
  return sql`${selectAccounts(call, channel)} and a.id = ${id}::uuid for update of a`;
}

function selectAccounts({ workspace, me }: Call, channel: string): Sql {
  return sql`select a.id, a.provider, a.account_email, a.status, a.send_enabled, a.settings is not null
    from ${workspace.table('_integrations')} a
    where a.workspace_user_id = ${me}::uuid and ${channel} = any(a.channels)`;
}

/** The accounts in what a statement gave. */
export function accountsIn(found: Rows | undefined): readonly Account[] {
  return (found?.rows ?? []).map(([id, provider, address, status, maySend, isReached]) => ({
    id: id ?? '',
    provider: provider ?? '',
    address: address ?? '',
    status: status ?? '',
    maySend: maySend === 't',
    isReached: isReached === 't',
  }));
}

/**
 * The account that a message of the channel goes out from: the one that is named, else the only one that is connected. Throws
 * NO_ACCOUNT, AMBIGUOUS_SENDER with those that there are, and for email SEND_NOT_ENABLED.
 */
export function senderAmong(accounts: readonly Account[], channel: string, named: string | undefined): Account {
  const account = chosen(accounts, channel, named);
  if (channel === 'email' && !account.maySend) throw errors.sendNotEnabled(account.address);
  return account;
}

function chosen(accounts: readonly Account[], channel: string, named: string | undefined): Account {
  const active = accounts.filter(({ status }) => status === 'active');
  const addresses = active.map(({ address }) => address);
  if (named !== undefined) {
    const wanted = named.trim().toLowerCase();
    const found = active.find(({ address }) => address.toLowerCase() === wanted);
    if (found) return found;
    throw errors.noAccount(missing(accounts, channel, wanted), addresses);
  }
  const [only, other] = active;
  if (!only) throw errors.noAccount(missing(accounts, channel));
  if (other) throw errors.ambiguousSender(channel, addresses);
  return only;
}

/** Why there is none, with what the user can do about it. */
function missing(accounts: readonly Account[], channel: string, named?: string): string {
  const idle = accounts.find(({ address }) => named === undefined || address.toLowerCase() === named);
  if (idle && idle.status !== 'active')
    return `The account ${idle.address} is not connected any more (its status is ${idle.status}): connect it again`;
  return named === undefined
    ? `You have no connected account for ${channel}`
    : `You have no connected account ${JSON.stringify(named)} for ${channel}`;
}
