/** The data of a page's header: the user, the organization, and the names of its objects. */
import { Type } from 'typebox';
import { hasRecords } from '../../model/model.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { defineOperation } from '../door/operation.ts';

export const getReader = defineOperation({
  id: 'workspace.get',
  summary: "The caller's organization, and the display field of each object",
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    name: Type.String(),
    email: Type.String(),
    role: Type.String(),
    isAdmin: Type.Boolean(),
    organization: Type.String(),
    currency: Type.String(),
    timezone: Type.String(),
    displayFields: Type.Record(Type.String(), Type.String()),
  }),
  effect: 'read',
  cost: 'global',
  async run({ caller, model, workspace, visibility }) {
    const query = sql`select u.name, u.email from ${workspace.table('_users')} u where u.id = ${caller.workspaceUserId}::uuid`;
    const [found] = await workspace.read(statement(query, model.version));
    const [name, email] = found?.rows[0] ?? [];
    const seen = [...model.objects.values()].filter(
      (object) => hasRecords(object) && visibility.rows(object.name) !== 'none',
    );
    return {
      name: name ?? '',
      email: email ?? '',
      role: caller.role.name,
      isAdmin: visibility.isAdmin,
      organization: model.organizationName,
      currency: model.currency,
      timezone: model.timeZone,
      displayFields: Object.fromEntries(
        seen.map(({ name: object, displayField: field }) => [object, visibility.shows(object, field) ? field : 'id']),
      ),
    };
  },
});
