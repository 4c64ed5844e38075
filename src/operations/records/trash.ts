/** The trash: list and purge. Deleting and restoring are operations on records. [decisions: Writing] */
import { Type } from 'typebox';
import { errors } from '../../errors.ts';
import { dayMs } from '../../lib/durations.ts';
import { objectWithId } from '../../model/model.ts';
import { recordId } from '../../records/reading/named.ts';
import { authorOf } from '../../records/writing/leave.ts';
import { purgedAtOnce, purgeOldest, purgeRecords } from '../../records/writing/purge.ts';
import { trashPage } from '../../records/reading/trash-page.ts';
import { Cursor, ObjectName, RecordId, recordPage } from '../inputs.ts';
import { defineOperation, defineRecordOperation, pageText } from '../door/operation.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

/** A hundred years: longer than any record is old. */
const longestDays = 36_500;

export const listTrash = defineRecordOperation({
  id: 'trash.list',
  summary: 'Records in the trash that the caller may view and delete, latest first',
  input: Type.Object(
    {
      object: ObjectName,
      limit: recordPage.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(
    Type.Object({
      id: Id,
      display: Nullable(Type.String()),
      deleted_at: Time,
      deleted_by: Nullable(Type.Object({ id: Id, display: Type.String() })),
    }),
  ),
  needs: 'delete',
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const limit = recordPage.of(call, input.limit);
    return pageText(await trashPage(call, object, { limit, cursor: input.cursor }));
  },
});

export const purgeRecord = defineRecordOperation({
  id: 'trash.purge',
  summary: 'Delete a record in the trash for good',
  input: Type.Object({ object: ObjectName, id: RecordId }, { additionalProperties: false }),
  output: Type.Object({ purged: Type.Boolean() }),
  needs: 'delete',
  effect: 'destructive',
  cost: 'global',
  adminOnly: 'Removing records for good',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const purged = await call.workspace.transaction((tx) => purgeRecords(authorOf(call), tx, object, [id]));
    if (purged === 0) throw errors.notInTrash(object.name, id);
    return { purged: true };
  },
});

export const purgeTrash = defineOperation({
  id: 'trash.purgeAll',
  summary: 'Delete for good all records that have been in the trash for some time',
  input: Type.Object(
    { older_than_days: Type.Number({ minimum: 0, maximum: longestDays }) },
    { additionalProperties: false },
  ),
  output: Type.Object({ purged: Type.Integer({ description: 'How many records' }) }),
  effect: 'destructive',
  cost: 'expensive',
  adminOnly: 'Removing records for good',
  async run(call, input) {
    const before = new Date(call.now - input.older_than_days * dayMs);
    let purged = 0;
    for (const { id } of call.model.objects.values()) {
      for (let count = purgedAtOnce; count === purgedAtOnce; purged += count) {
        count = await call.part(async (now) => {
          const object = objectWithId(now.model, id);
          // Private rows are not purged here; they expire after thirty days.
          if (!object || object.condition) return 0;
          return now.workspace.transaction((tx) => purgeOldest(authorOf(now), tx, object, before));
        });
      }
    }
    return { purged };
  },
});
