/** [decisions: Writing] The history of a record. */
import { Type } from 'typebox';
import { missingRecord } from '../../records/merging/old-ids.ts';
import { recordId } from '../../records/reading/named.ts';
import { historyPage } from '../../records/past/history.ts';
import { Cursor, ObjectName, RecordId, recordPage } from '../inputs.ts';
import { pageText, defineRecordOperation } from '../door/operation.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const Text = Nullable(Type.String());
const Ids = Type.Array(Id);

const ValueChange = Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() });
const LinkChange = Type.Object({
  field: Type.String(),
  added: Ids,
  removed: Ids,
  changed: Type.Optional(Ids),
  moved: Type.Optional(Ids),
});

/** The changes of one write, by field. */
export const Changes = Type.Array(Type.Union([ValueChange, LinkChange]));

const Entry = Type.Object({
  id: Type.String(),
  action: Type.String({ enum: ['create', 'update', 'delete', 'restore', 'unlink'] }),
  at: Nullable(Time),
  actor: Nullable(Type.Object({ id: Id, display: Text })),
  means: Type.String({ description: 'api, import, cli, demo, job, …' }),
  agent: Text,
  token: Type.Optional(Text),
  change_set: Nullable(Id),
  changes: Changes,
});

export const recordHistory = defineRecordOperation({
  id: 'records.history',
  summary: 'History of a record, newest first: who changed it, when and how, with visible fields before and after',
  input: Type.Object(
    {
      object: ObjectName,
      id: RecordId,
      limit: recordPage.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(Entry),
  needs: 'view',
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const page = await historyPage(call, object, id, recordPage.of(call, input.limit), input.cursor);
    if (!page) throw await missingRecord(call, object, id);
    return pageText(page);
  },
});
