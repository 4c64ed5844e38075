/**
 * [spec: Authentication] API tokens, created and revoked by signed-in people. A token cannot create another one, so that a
 * leaked token does not outlive its end.
 */
import { Type } from 'typebox';
import type { Workspace } from '../../access/workspace.ts';
import { datetimeMember, member, quotedMember, reading, textMember } from '../../fields/members.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { takePlace } from '../../model/caps.ts';
import { sql } from '../../postgres/sql.ts';
import { endToken, insertToken, newToken, tokensOf, tokenSubject } from '../../provision/token-row.ts';
import { descendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Cursor, pageSize } from '../inputs.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const tokensPage = pageSize(100, 500);

const newestFirst = descendingBy(sql`t.created_at`, 'timestamptz');

function selectionIn(workspace: Workspace) {
  return selectionOf([
    reading(sql`t.id`, quotedMember('id')),
    reading(sql`t.name`, textMember('name')),
    reading(
      sql`to_json(t.scopes)::text`,
      member('scopes', (text) => text),
    ),
    reading(sql`t.workspace_user_id`, quotedMember('user_id')),
    reading(
      sql`(select u.name from ${workspace.table('_users')} u where u.id = t.workspace_user_id)`,
      textMember('user_name'),
    ),
    reading(sql`t.created_at`, datetimeMember('created_at')),
    reading(sql`t.expires_at`, datetimeMember('expires_at')),
    reading(sql`t.last_used_at`, datetimeMember('last_used_at')),
    reading(sql`t.revoked_at`, datetimeMember('revoked_at')),
  ]);
}

const TokenOut = {
  id: Id,
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  user_id: Id,
  user_name: Type.String(),
  created_at: Time,
  expires_at: Nullable(Time),
  last_used_at: Nullable(Time),
  revoked_at: Nullable(Time),
};

export const listTokens = defineOperation({
  id: 'tokens.list',
  summary: "The caller's tokens, newest first; admins see all of the organization's",
  input: Type.Object(
    {
      cursor: Cursor,
      limit: tokensPage.input,
      user_id: Type.Optional(Type.String({ description: 'Of that user alone' })),
      is_revoked: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  output: PageOf(Type.Object(TokenOut)),
  effect: 'read',
  cost: 'global',
  personOnly: 'Seeing tokens',
  async run(call, { cursor, limit, user_id: userId, is_revoked: isRevoked }) {
    const { workspace, visibility, me } = call;
    if (userId !== undefined && !isUuid(userId)) throw errors.userNotFound(userId);
    const plan = planPage(
      call,
      {
        rows: { row: sql`t`, table: workspace.table('_tokens'), from: sql`${workspace.table('_tokens')} t` },
        visible: visibility.isAdmin ? sql`true` : sql`t.workspace_user_id = ${me}::uuid`,
        filters: [
          // Tokens of apps have a list of their own.
          sql`t.app is null`,
          ...(userId === undefined ? [] : [sql`t.workspace_user_id = ${userId}::uuid`]),
          ...(isRevoked === undefined ? [] : [sql`(t.revoked_at is not null) = ${isRevoked}`]),
        ],
        order: newestFirst,
        identity: ['tokens', userId ?? '', String(isRevoked)],
        selection: selectionIn(workspace),
      },
      { limit: tokensPage.of(call, limit), cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});

export const createToken = defineOperation({
  id: 'token.create',
  summary: 'Create a token that acts as the caller; its text is shown only once',
  input: Type.Object(
    {
      name: Type.String({ maxLength: 200, description: 'What it is for' }),
      scopes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, default: ['mcp'] })),
      expires_in: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'A number and a unit, such as 90d or 12h; it does not expire when absent',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    id: Id,
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    expires_at: Nullable(Time),
    token: Type.String({ examples: ['svc_…'] }),
  }),
  effect: 'write',
  cost: 'global',
  status: 201,
  personOnly: 'Creating a token',
  async run(call, { name, scopes, expires_in: expiresIn }) {
    const { model, me, now, gateway } = call;
    const row = newToken(
      { clock: { now: () => now } },
      { name, ...(scopes && { scopes }), ...(expiresIn !== undefined && { expiresIn }) },
    );
    // A dry run leaves nothing, so its token must not be in the directory.
    if (!call.isTrial) await gateway.enterToken(row.id);
    await call.workspace.transaction(async (tx) => {
      await takePlace((query) => tx.run(query), model.schema, tokensOf(model.schema, me, now));
      await tx.run(insertToken(model.schema, me, row));
      call.audit(tx, 'token.created', tokenSubject(row, me));
    });
    return {
      id: row.id,
      name: row.name,
      scopes: row.scopes,
      expires_at: row.expiresAt === null ? null : new Date(row.expiresAt * 1000).toISOString(),
      token: await gateway.signToken(row),
    };
  },
});

export const revokeToken = defineOperation({
  id: 'token.revoke',
  summary: 'Revoke a token of the caller, or any token as an admin; the next request with it gets 401',
  input: Type.Object({ id: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ id: Id, revoked: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  personOnly: 'Revoking a token',
  async run(call, { id }) {
    if (!isUuid(id)) throw errors.tokenNotFound(id);
    const whose = call.visibility.isAdmin ? sql`true` : sql`t.workspace_user_id = ${call.me}::uuid`;
    await call.workspace.transaction(async (tx) => {
      const ended = await endToken((query) => tx.run(query), { schema: call.model.schema, id, which: whose }, call.now);
      if (!ended) throw errors.tokenNotFound(id);
      if (ended.isNew) call.audit(tx, 'token.revoked', { token: ended.id, user: ended.workspaceUserId });
    });
    return { id: id.toLowerCase(), revoked: true };
  },
});
