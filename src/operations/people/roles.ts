/** The roles of the organization, for inviting and changing users. */
import { Type } from 'typebox';
import { defineOperation } from '../door/operation.ts';
import { Id } from '../outputs.ts';

export const listRoles = defineOperation({
  id: 'roles.list',
  summary: 'Roles of the workspace; their permissions are in the manifest',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    roles: Type.Array(Type.Object({ id: Id, name: Type.String(), is_admin: Type.Boolean() })),
  }),
  effect: 'read',
  cost: 'global',
  async run({ model, workspace }) {
    await workspace.read();
    const roles = [...model.roles.values()].map(({ id, name, isAdmin }) => ({ id, name, is_admin: isAdmin }));
    return { roles };
  },
});
