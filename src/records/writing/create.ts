/** Creating one record. [spec: Records] */
import type { Call } from '../../access/call.ts';
import { Mistakes } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { decodeValues, writingOf } from './decode.ts';
import { fillNewRecord } from './defaults.ts';
import { refuseFloodOfHtml } from './html-flood.ts';
import { replaceLinks } from './links.ts';
import { mustReadAgain, readWritten } from '../reading/read-written.ts';
import { namingDuplicates } from './unique.ts';
import { setsUniqueValues, takeValuesOfRows } from './unique-values.ts';
import { insertRecord, type Written } from './write-record.ts';

/** Throws VALIDATION_ERROR with every problem, PERMISSION_DENIED for a field that is not the role's to write, DUPLICATE_RECORD. */
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
  mistakes.refuse();
  const record = await namingDuplicates(call, object, decoded, () => {
    const again = mustReadAgain(call, object);
    if (!again && decoded.links.size === 0 && !setsUniqueValues(object, decoded))
      return insertRecord(call, call.workspace.write, object, id, decoded);
    return call.workspace.transaction(async (tx) => {
      const links = await replaceLinks(call, tx, id, decoded.links);
      await takeValuesOfRows(call, tx, object, [{ ...decoded, id }]);
      const written = await insertRecord(call, tx.run, object, id, decoded, links);
      return again ? readWritten(call, tx, object, id) : written;
    });
  });
  return { id, record };
}
