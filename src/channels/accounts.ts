/** The caller's own accounts, and the choice of the one that sends. [spec: crm_send_message] */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import type { Rows } from '../postgres/database.ts';
import { sql, statement, type Sql, type Statement } from '../postgres/sql.ts';

/** A connected or imported account. */
export interface Account {
  readonly id: string;
  readonly provider: string;
  /** The address that it sends from; callers choose the account by it. */
  readonly address: string;
  readonly status: string;
  readonly maySend: boolean;
  /** Whether the service has settings to connect with; false for imported accounts. */
  readonly isReached: boolean;
}

/** Selects the caller's accounts of the channel, oldest first; `accountsIn` reads the rows. */
export function accountsOf(call: Call, channel: string): Statement {
  return statement(sql`${selectAccounts(call, channel)} order by a.created_at, a.id`, call.model.version);
}

/** Selects one account and locks it until the end of the transaction, so that its sends run one at a time. */
export function lockedAccount(call: Call, channel: string, id: string): Sql {
  return sql`${selectAccounts(call, channel)} and a.id = ${id}::uuid for update of a`;
}

function selectAccounts({ workspace, me }: Call, channel: string): Sql {
  return sql`select a.id, a.provider, a.account_email, a.status, a.send_enabled, a.settings is not null
    from ${workspace.table('_integrations')} a
    where a.workspace_user_id = ${me}::uuid and ${channel} = any(a.channels)`;
}

/** Reads accounts from rows of `accountsOf` or `lockedAccount`. */
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
 * The account that sends a message of the channel: the named one, else the only connected one. Throws NO_ACCOUNT;
 * AMBIGUOUS_SENDER with the possible addresses; for email SEND_NOT_ENABLED.
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

/** Why no account can send, and what the user can do about it. */
function missing(accounts: readonly Account[], channel: string, named?: string): string {
  const idle = accounts.find(({ address }) => named === undefined || address.toLowerCase() === named);
  if (idle && idle.status !== 'active')
    return `The account ${idle.address} is no longer connected (status ${idle.status}): connect it again`;
  return named === undefined
    ? `You have no connected account for ${channel}`
    : `You have no connected account ${JSON.stringify(named)} for ${channel}`;
}
