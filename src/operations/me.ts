/** [spec: Identity and workspace] */
import { Type } from 'typebox';
import { sql, statement } from '../postgres/sql.ts';
import { defineOperation } from './operation.ts';

export const getMe = defineOperation({
  id: 'me.get',
  summary: 'Who the token acts as',
  input: Type.Object({}, { additionalProperties: false }),
  mode: 'read',
  cost: 'global',
  async run({ caller, model, workspace, visibility }) {
    const query = sql`select u.name, u.email, u.role_id from ${workspace.table('_users')} u where u.id = ${caller.workspaceUserId}::uuid`;
    const [found] = await workspace.read(statement(query, model.version));
    const [name, email, role_id] = found?.rows[0] ?? [];
    return {
      userId: caller.userId,
      organizationId: caller.organizationId,
      workspaceUserId: caller.workspaceUserId,
      schemaName: model.schema,
      isAdmin: visibility.isAdmin,
      scopes: caller.scopes,
      profile: found?.rows[0] ? { name, email, role_id } : null,
    };
  },
});
