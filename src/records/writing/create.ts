/** Creating one record. [spec: Records] */
import type { Call } from '../../access/call.ts';
import { Mistakes } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { isReadWithItsWrite, readWritten, type Written } from '../reading/read-written.ts';
import { createRows, type NewRecord } from './create-rows.ts';
import { decodeValues, writingOf } from './decode.ts';
import { fillNewRecord } from './defaults.ts';
import { refuseFloodOfHtml } from './html-flood.ts';
import { addStrayReferences, mayStray, reportingAll } from './stray-references.ts';
import { namingDuplicates } from './unique.ts';
import { setsUniqueValues } from './unique-values.ts';
import { writeSingleRecord } from './write-single-record.ts';

/**
 * Creates the record. Throws VALIDATION_ERROR with every problem, PERMISSION_DENIED for a field that the role may not
 * write, DUPLICATE_RECORD.
 */
export async function createOne(
  call: Call,
  object: ObjectDef,
  values: JsonObject,
): Promise<{ id: string; record: Written }> {
  refuseFloodOfHtml(object, [values]);
  const id = newId();
  const mistakes = new Mistakes();
  const writing = writingOf(call, object);
  const decoded = await decodeValues(writing, values, mistakes);
  await fillNewRecord(call, object, decoded, writing.context, mistakes);
  const made = { ...decoded, id };
  const further = async () => {
    if (!mayStray(call, made)) return;
    await call.workspace.transaction((tx) => addStrayReferences(call, tx, object, [{ record: made, mistakes }]));
  };
  const record = await reportingAll(mistakes, further, () => create(call, object, made));
  return { id, record };
}

async function create(call: Call, object: ObjectDef, made: NewRecord): Promise<Written> {
  return namingDuplicates(call, object, made, async () => {
    if (isReadWithItsWrite(call, object) && made.links.size === 0 && !setsUniqueValues(object, made))
      return writeSingleRecord(call, object, 'create', made);
    return call.workspace.transaction(async (tx) => {
      await createRows(call, tx, object, [made]);
      return readWritten(call, tx, object, made.id);
    });
  });
}
