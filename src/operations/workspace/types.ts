/** `kith types`: the records of a workspace as TypeScript types. */
import { Type } from 'typebox';
import { workspaceTypes } from '../../describe/workspace-types.ts';
import { defineOperation } from '../door/operation.ts';

export const printTypes = defineOperation({
  id: 'types.print',
  summary: 'The records of the workspace as TypeScript types',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ types: Type.String() }),
  effect: 'read',
  cost: 'global',
  async run({ model, visibility, workspace }) {
    await workspace.read();
    return { types: await workspaceTypes(model, visibility) };
  },
});
