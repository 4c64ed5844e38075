/** Reads and deletes one record of a managed object. [spec: Tasks, Notes] */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { parseLongJson } from '../../lib/long-json.ts';
import { whole } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { planGet } from '../../query/plan-get.ts';
import { recordId } from '../../records/reading/named.ts';
import { expectedStates, recordEtag } from '../../records/writing/etag.ts';
import { trashWithLinks } from '../../records/writing/trash.ts';
import { defineManagedOperation, JsonText } from '../door/operation.ts';
import { IfMatch, RecordId } from '../inputs.ts';

/** The record in the shape that `form` gives it, with its ETag. Throws RECORD_NOT_FOUND. */
export async function readManaged(
  call: Call,
  object: ObjectDef,
  given: string,
  form: (record: JsonObject) => JsonObject,
): Promise<JsonText> {
  const id = recordId(object, given);
  const plan = planGet(call, object, id);
  const [found] = await call.workspace.read(plan.statement);
  const read = await plan.read(found?.rows ?? []);
  const record = read && (await parseLongJson(whole(read.record)));
  if (!isObject(record)) throw errors.recordNotFound(object.name, id);
  const text = await writeJson(form(record));
  return new JsonText(text, await recordEtag(read?.tag ?? '', text));
}

/** Defines the operation that deletes a record of a managed object, with its links. */
export function defineDeletion(manages: string, id: string, summary: string) {
  return defineManagedOperation({
    id,
    summary,
    input: Type.Object({ id: RecordId, if_match: IfMatch }, { additionalProperties: false }),
    output: Type.Object({ deleted: Type.Boolean() }),
    needs: 'delete',
    manages,
    effect: 'destructive',
    cost: 'global',
    async run(call, input, object) {
      await trashWithLinks(call, object, recordId(object, input.id), expectedStates(input.if_match));
      return { deleted: true };
    },
  });
}
