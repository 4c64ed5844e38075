/** Apps that act for people who consented: each connection is a token that the app renews, and that the person can end at any time. */
import { Type } from 'typebox';
import { datetimeMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { takePlace } from '../../model/caps.ts';
import { endedConnection, isConnected, type ConnectedApp } from '../../oauth/connections.ts';
import { sql } from '../../postgres/sql.ts';
import { endToken, insertToken, newToken, tokensOf } from '../../provision/token-row.ts';
import { descendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Cursor, pageSize } from '../inputs.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const appsPage = pageSize(100, 500);

/** An app that has not fetched its token by then never will. */
const fetchedWithinMs = 10 * 60_000;

const newestFirst = descendingBy(sql`t.created_at`, 'timestamptz');

export const listConnectedApps = defineOperation({
  id: 'connectedApps.list',
  summary: "Apps that act for the caller, newest first; admins see all of the organization's",
  input: Type.Object({ cursor: Cursor, limit: appsPage.input }, { additionalProperties: false }),
  output: PageOf(
    Type.Object({
      id: Id,
      name: Type.String({ description: 'By its own account' }),
      host: Type.String({ description: 'Where the person was sent back to' }),
      client_id: Type.String(),
      user_id: Id,
      user_name: Type.String(),
      created_at: Time,
      last_used_at: Nullable(Time),
      connected_until: Time,
    }),
  ),
  effect: 'read',
  cost: 'global',
  personOnly: 'Seeing connected apps',
  async run(call, { cursor, limit }) {
    const { workspace, visibility, me, now } = call;
    const tokens = workspace.table('_tokens');
    const plan = planPage(
      call,
      {
        rows: { row: sql`t`, table: tokens, from: sql`${tokens} t` },
        visible: visibility.isAdmin ? sql`true` : sql`t.workspace_user_id = ${me}::uuid`,
        filters: [isConnected(now)],
        order: newestFirst,
        identity: ['connected apps'],
        selection: selectionOf([
          reading(sql`t.id`, quotedMember('id')),
          reading(sql`t.name`, textMember('name')),
          reading(sql`t.app ->> 'host'`, textMember('host')),
          reading(sql`t.app ->> 'id'`, textMember('client_id')),
          reading(sql`t.workspace_user_id`, quotedMember('user_id')),
          reading(
            sql`(select u.name from ${workspace.table('_users')} u where u.id = t.workspace_user_id)`,
            textMember('user_name'),
          ),
          reading(sql`t.created_at`, datetimeMember('created_at')),
          reading(sql`t.last_used_at`, datetimeMember('last_used_at')),
          reading(sql`t.connected_until`, datetimeMember('connected_until')),
        ]),
      },
      { limit: appsPage.of(call, limit), cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});

/** Performed by the consent page only; it has no route. */
export const connectApp = defineOperation({
  id: 'connectedApp.connect',
  summary: 'Let an app act for the caller',
  input: Type.Object(
    {
      app: Type.Object({ id: Type.String(), name: Type.String(), host: Type.String(), resource: Type.String() }),
      scopes: Type.Array(Type.String()),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ id: Id }),
  effect: 'write',
  cost: 'global',
  personOnly: 'Connecting an app',
  async run(call, { app, scopes }) {
    const { model, me, now, gateway, workspace } = call;
    const made = newToken({ clock: { now: () => now } }, { name: app.name, scopes });
    // The app receives a token when it fetches it; until then the connection has no valid one.
    const row = { ...made, expiresAt: made.issuedAt };
    const connectedApp: ConnectedApp = app;
    await gateway.enterToken(row.id);
    await workspace.transaction(async (tx) => {
      await takePlace((query) => tx.run(query), model.schema, tokensOf(model.schema, me, now));
      await tx.run(insertToken(model.schema, me, row, { app: connectedApp, until: now + fetchedWithinMs }));
      const subject = { token: row.id, app: row.name, host: app.host, client_id: app.id, scopes, user: me };
      call.audit(tx, 'app.connected', subject);
    });
    return { id: row.id };
  },
});

export const disconnectApp = defineOperation({
  id: 'connectedApp.disconnect',
  summary: 'Disconnect an app of the caller, or of any user as an admin; its next request gets 401',
  input: Type.Object({ id: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ id: Id, disconnected: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  personOnly: 'Disconnecting an app',
  async run(call, { id }) {
    if (!isUuid(id)) throw errors.appNotFound(id);
    const whose = call.visibility.isAdmin ? sql`true` : sql`t.workspace_user_id = ${call.me}::uuid`;
    const which = sql`t.app is not null and ${whose}`;
    await call.workspace.transaction(async (tx) => {
      const ended = await endToken((query) => tx.run(query), { schema: call.model.schema, id, which }, call.now);
      if (!ended) throw errors.appNotFound(id);
      if (ended.isNew) call.audit(tx, 'app.disconnected', endedConnection(ended));
    });
    return { id: id.toLowerCase(), disconnected: true };
  },
});
