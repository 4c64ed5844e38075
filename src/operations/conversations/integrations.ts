/** [spec: Identity and workspace] The caller's own connected accounts. */
import { Type } from 'typebox';
import { utc } from '../../fields/members.ts';
import type { Row } from '../../postgres/database.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { defineOperation } from '../door/operation.ts';
import { Id, Nullable, Time } from '../outputs.ts';

export const integrationStatus = defineOperation({
  id: 'integrations.status',
  summary: "State of the caller's connected accounts",
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    integrations: Type.Array(
      Type.Object({
        id: Id,
        provider: Type.String(),
        account_email: Nullable(Type.String()),
        status: Type.String({ enum: ['active', 'expired', 'error'] }),
        last_sync_at: Nullable(Time),
        created_at: Time,
      }),
    ),
    total: Type.Optional(Type.Integer({ description: 'Absent where nothing is connected' })),
  }),
  effect: 'read',
  cost: 'global',
  async run({ caller, model, workspace }) {
    const query = sql`select id, provider, account_email, status, last_sync_at, created_at from ${workspace.table('_integrations')}
      where workspace_user_id = ${caller.workspaceUserId}::uuid order by created_at, id`;
    const [found] = await workspace.read(statement(query, model.version));
    const integrations = found?.rows.map(integrationOf) ?? [];
    return integrations.length === 0 ? { integrations } : { integrations, total: integrations.length };
  },
});

function integrationOf([id, provider, account_email, status, syncedAt, createdAt]: Row) {
  const time = (text: string | null | undefined) => (text ? utc(text) : null);
  return { id, provider, account_email, status, last_sync_at: time(syncedAt), created_at: time(createdAt) };
}
