/** [decisions: Writing] Undoes a change set, except what was changed since. */
import { Type } from 'typebox';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { reasons } from '../../records/undoing/outcome.ts';
import { mostLeftTold, undo } from '../../records/undoing/undo.ts';
import { defineOperation } from '../door/operation.ts';
import { Id } from '../outputs.ts';

export const undoChangeSet = defineOperation({
  id: 'changeSet.undo',
  summary: 'Undo the writes of a change set, except values that were changed since',
  input: Type.Object(
    { change_set: Type.String({ description: 'Its id, as the header Change-Set of the write named it' }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    action: Type.String({ enum: ['undone'] }),
    change_set: Type.String({ format: 'uuid', description: 'That of the undo, which can be undone as well' }),
    undone: Type.Integer({ minimum: 0, description: 'Records and lists that something was put back of' }),
    left_count: Type.Integer({ minimum: 0, description: 'Records and lists that were left, or something of them' }),
    left: Type.Array(
      Type.Object({
        object: Type.String(),
        id: Id,
        reason: Type.String({ enum: [...reasons] }),
        fields: Type.Optional(Type.Array(Type.String(), { description: 'Absent where it is the whole record' })),
        message: Type.Optional(Type.String()),
      }),
      { description: `The first ${mostLeftTold}` },
    ),
  }),
  effect: 'destructive',
  cost: 'long',
  source: 'undo',
  async run(call, input) {
    if (!isUuid(input.change_set)) throw errors.changeSetNotFound(input.change_set);
    return { action: 'undone', change_set: call.changeSet, ...(await undo(call, input.change_set.toLowerCase())) };
  },
});
