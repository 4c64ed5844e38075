/** Connected mailboxes, calendars and messengers: connect, list, synchronise, remove. [contract: Accounts] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { settingsOf, type AccountSettings } from '../../channels/account-settings.ts';
import { ChannelFailure } from '../../channels/channel-failure.ts';
import { AccountDocument, connectorOf } from '../../channels/providers.ts';
import {
  accountIdOf,
  countAccounts,
  forgetAccount,
  keepAccount,
  mostOfUser,
  purgeSome,
  accountViews,
  importedSince,
  type AccountView,
} from '../../channels/kept-accounts.ts';
import { synchronise } from '../../channels/synchronise.ts';
import { describedAs } from '../../describe/annotations.ts';
import { errors } from '../../errors.ts';
import { isUuid, newId } from '../../lib/id.ts';
import { channels } from '../../model/channels.ts';
import { insertJob } from '../../jobs/table.ts';
import { sql, statement, type Sql } from '../../postgres/sql.ts';
import { accountJob } from '../background/account-job.ts';
import { defineOperation } from '../door/operation.ts';
import { validInput } from '../door/valid-input.ts';
import { Id, Nullable, Time } from '../outputs.ts';

const AccountId = Type.String({ description: 'Id of the account' });
const Channels = Type.Array(Type.String({ enum: [...channels] }));
const Status = Type.String({ enum: ['active', 'expired', 'error'] });

const AccountOut = Type.Object({
  id: Id,
  user: Type.String({ description: 'E-mail address of whose it is' }),
  provider: Type.String(),
  account_email: Nullable(Type.String()),
  channels: Channels,
  send_enabled: Type.Boolean(),
  status: Status,
  last_error: Nullable(Type.String()),
  last_sync_at: Nullable(Time),
  next_sync_at: Nullable(Time),
  created_at: Time,
  remaining: Type.Integer({ description: 'Messages that are still to be brought in, as far as that is known' }),
});

export const addAccount = defineOperation({
  id: 'account.add',
  summary: 'Connect an account of a user after testing its servers; a known account is updated',
  input: Type.Object(
    {
      user: Type.Optional(
        Type.String({ maxLength: 320, description: 'E-mail address of whose account it is; your own when absent' }),
      ),
      account: Type.Object(
        { provider: Type.Optional(Type.String()) },
        { additionalProperties: true, ...describedAs(AccountDocument) },
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ integrationId: Id, provider: Type.String(), account_email: Type.String(), status: Status }),
  effect: 'external',
  cost: 'bulk',
  async run(call, { user, account }) {
    const connector = connectorOf(account.provider);
    const settings = validInput({ input: connector.schema }, account) as AccountSettings;
    const owner = user === undefined ? call.me : await userWithEmail(call, user, sql`u.is_active`);
    if (owner !== call.me && !call.visibility.isAdmin) throw errors.adminOnly("Connecting somebody else's account");
    if ((await countAccounts(call, owner, settings)) >= mostOfUser)
      throw errors.validation(`A user has at most ${mostOfUser} accounts`);
    await connector.tryOut(call, settings).catch((error: unknown) => {
      throw error instanceof ChannelFailure ? errors.validation(error.message) : error;
    });
    const wantedId = (await accountIdOf(call, owner, settings)) ?? newId(call.now);
    await call.gateway.enterHook(wantedId, owner);
    const channels = connector.channelsOf(settings);
    const latest = connector.latest?.(call, settings) ?? settings;
    const { id, before } = await call.workspace.transaction(async (tx) => {
      const kept = await keepAccount(call, tx, { id: wantedId, owner, channels }, latest);
      await tx.run(insertJob(call.model, accountJob(kept.id, owner), call.now));
      call.audit(tx, 'account.connected', { account: kept.id, provider: settings.provider, user: owner });
      return kept;
    });
    const dropped = before.filter((channel) => !channels.includes(channel)).join(' and ');
    if (dropped !== '')
      call.warn(`The account had ${dropped} until now, and has it no more: one document says all of the account`);
    call.wake(call.now);
    return { integrationId: id, provider: settings.provider, account_email: settings.account_email, status: 'active' };
  },
});

async function userWithEmail({ workspace, model }: Call, email: string, condition: Sql): Promise<string> {
  const query = sql`select u.id from ${workspace.table('_users')} u where lower(u.email) = lower(${email.trim()}) and ${condition}`;
  const [found] = await workspace.read(statement(query, model.version));
  const id = found?.rows[0]?.[0];
  if (typeof id !== 'string') throw errors.userNotFound(email);
  return id;
}

export const listAccounts = defineOperation({
  id: 'accounts.list',
  summary: "Connected accounts, oldest first: the caller's own, or all for an admin",
  input: Type.Object(
    { user: Type.Optional(Type.String({ maxLength: 320, description: 'E-mail address of whose accounts' })) },
    { additionalProperties: false },
  ),
  output: Type.Object({ accounts: Type.Array(AccountOut) }),
  effect: 'read',
  cost: 'global',
  async run(call, { user }) {
    const wanted = user === undefined ? sql`true` : sql`lower(u.email) = lower(${user.trim()})`;
    const accounts = await accountViews(call, sql`${seenAccounts(call)} and ${wanted}`);
    // An admin sees all users, so a mistyped address is refused instead of looking like a user without accounts.
    if (accounts.length === 0 && user !== undefined && call.visibility.isAdmin)
      await userWithEmail(call, user, sql`true`);
    return { accounts };
  },
});

/** Admins see everybody's accounts, others their own. */
function seenAccounts({ visibility, me }: Call): Sql {
  return visibility.isAdmin ? sql`true` : sql`a.workspace_user_id = ${me}::uuid`;
}

export const syncAccount = defineOperation({
  id: 'account.sync',
  summary: 'Synchronise an account completely and answer with the counts; existing items are skipped',
  input: Type.Object({ id: AccountId }, { additionalProperties: false }),
  output: Type.Object({
    threads: Type.Integer(),
    interactions: Type.Integer(),
    events: Type.Integer(),
    failed: Type.Array(
      Type.Object({ folder: Type.String(), uid: Type.Union([Type.Integer(), Type.String()]), reason: Type.String() }),
    ),
  }),
  effect: 'external',
  cost: 'bulk',
  async run(call, { id }) {
    const account = await accountWithId(call, id);
    const outcome = await synchronise(call, account.id);
    if (!outcome)
      throw errors.notSupported(`The account ${account.account_email ?? ''} was brought in for what it had`);
    if (outcome.failure) throw errors.accountFailed(outcome.failure.message);
    return importedSince(call, account.id, call.now);
  },
});

export const removeAccount = defineOperation({
  id: 'account.remove',
  summary: 'Disconnect an account; its data stays unless it is purged',
  input: Type.Object({ id: AccountId, purge: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  output: Type.Object({ removed: Type.Boolean() }),
  effect: 'destructive',
  cost: 'bulk',
  async run(call, { id, purge = false }) {
    const account = await accountSeen(call, id);
    if (!account) {
      // Repeating the command continues an interrupted purge. It does not apply to data of an existing account.
      const isLeft = purge && call.visibility.isAdmin && isUuid(id) && (await purgeAll(call, id.toLowerCase()));
      if (!isLeft) throw errors.accountNotFound(id);
      return { removed: true };
    }
    const settings = await settingsOf(call, account.id).catch(() => undefined);
    await call.workspace.transaction(async (tx) => {
      await forgetAccount(call, tx, account.id);
      call.audit(tx, 'account.removed', { account: account.id, provider: account.provider, purge });
    });
    await call.workspace.afterwards(async () => {
      if ((await call.gateway.removeHook(account.id)) && settings) await leaveProvider(call, account, settings);
    });
    if (purge) await purgeAll(call, account.id);
    return { removed: true };
  },
});

/** How long the provider of a removed account is waited for. */
const mostOfLeaveMs = 5_000;

/** Unregisters the hook at the provider, if possible: the account is gone in any case. */
async function leaveProvider(call: Call, { id, provider }: AccountView, settings: AccountSettings): Promise<void> {
  const url = call.gateway.hookUrl(provider, id);
  if (url === undefined) return;
  const access = { outgoing: call.outgoing, signal: AbortSignal.timeout(mostOfLeaveMs) };
  try {
    await connectorOf(provider).leave?.(access, settings, url);
  } catch (error) {
    const words = error instanceof ChannelFailure ? error.message : 'it does not answer';
    call.warn(`The provider may still call in at ${url}, where nobody takes it: ${words}`);
  }
}

/**
 * Purges what came by the account; returns whether there was anything. A dry run stops after the first part, as it holds
 * locks until it is rolled back.
 */
async function purgeAll(call: Call, id: string): Promise<boolean> {
  let isAnything = false;
  while ((await call.part((now) => purgeSome(now, id))) > 0) {
    isAnything = true;
    if (call.isTrial) break;
  }
  return isAnything;
}

async function accountWithId(call: Call, id: string): Promise<AccountView> {
  const account = await accountSeen(call, id);
  if (!account) throw errors.accountNotFound(id);
  return account;
}

async function accountSeen(call: Call, id: string): Promise<AccountView | undefined> {
  if (!isUuid(id)) return undefined;
  const [account] = await accountViews(call, sql`${seenAccounts(call)} and a.id = ${id.toLowerCase()}::uuid`);
  return account;
}
