/** Creating one record. [spec: Records] */
import type { Call } from '../access/call.ts';
import type { FieldError } from '../errors.ts';
import { newId } from '../lib/id.ts';
import type { JsonObject } from '../lib/json.ts';
import type { ObjectDef } from '../model/model.ts';
import { decodeContext, decodeValues, refuse } from './decode.ts';
import { fillNewRecord } from './defaults.ts';
import { replaceLinks } from './links.ts';
import { mustReadAgain, readWritten } from './read-written.ts';
import { namingDuplicates } from './unique.ts';
import { setsUniqueValues, takeValuesOfRows } from './unique-values.ts';
import { insertRecord, type Written } from './write-record.ts';

/** Throws VALIDATION_ERROR with every problem, PERMISSION_DENIED for a field that is not the role's to write, DUPLICATE_RECORD. */
export async function createOne(
  call: Call,
  object: ObjectDef,
  values: JsonObject,
): Promise<{ id: string; record: Written }> {
  const id = newId();
  const problems: FieldError[] = [];
  const decoded = decodeValues(object, values, call.model, call.visibility, problems);
  fillNewRecord(call, object, decoded, decodeContext(call.model, object), problems);
  refuse(problems);
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
