/** Operations on many records at once, as bulk changes will have them: the kernel's sets, called in a request. */
import { Type } from 'typebox';
import { type KithError, Mistakes } from '../../src/errors.ts';
import { newId } from '../../src/lib/id.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { defineRecordOperation } from '../../src/operations/door/operation.ts';
import type { Change } from '../../src/records/writing/change.ts';
import { changeLocked, lockForChange } from '../../src/records/writing/change-rows.ts';
import { createEach, type NewRecord } from '../../src/records/writing/create-rows.ts';
import { decodeValues, writingOf } from '../../src/records/writing/decode.ts';
import { fillNewRecord } from '../../src/records/writing/defaults.ts';

const Values = Type.Record(Type.String(), Type.Unknown());

const aWrite = { output: Type.Object({}), effect: 'write', cost: 'global' } as const;

/** What became of each record: `ok`, or the code of its refusal. */
export const createMany = defineRecordOperation({
  ...aWrite,
  id: 'test.createMany',
  summary: 'Make several records',
  input: Type.Object({ object: Type.String(), values: Type.Array(Values) }),
  needs: 'create',
  async run(call, input, object) {
    const writing = writingOf(call, object);
    const records: NewRecord[] = [];
    for (const values of input.values) {
      const mistakes = new Mistakes();
      const decoded = await decodeValues(writing, values as JsonObject, mistakes);
      await fillNewRecord(call, object, decoded, writing.context, mistakes);
      mistakes.refuse();
      records.push({ ...decoded, id: newId() });
    }
    const refusals = await call.workspace.transaction((tx) => createEach(call, tx, object, records));
    return { ids: records.map(({ id }) => id), outcomes: outcomesOf(records, refusals) };
  },
});

export const updateMany = defineRecordOperation({
  ...aWrite,
  id: 'test.updateMany',
  summary: 'Change several records',
  input: Type.Object({ object: Type.String(), changes: Type.Array(Type.Tuple([Type.String(), Values])) }),
  needs: 'update',
  async run(call, input, object) {
    const writing = writingOf(call, object);
    const changes: Change[] = [];
    for (const [id, values] of input.changes) {
      const mistakes = new Mistakes();
      changes.push({ ...(await decodeValues(writing, values as JsonObject, mistakes)), id });
      mistakes.refuse();
    }
    const refusals = await call.workspace.transaction(async (tx) => {
      const ids = changes.map(({ id }) => id);
      const refused = await lockForChange(call, tx, object, ids);
      const allowed = changes.filter(({ id }) => !refused.has(id));
      return new Map([...refused, ...(await changeLocked(call, tx, object, allowed))]);
    });
    return { outcomes: outcomesOf(changes, refusals) };
  },
});

function outcomesOf(rows: readonly { readonly id: string }[], refusals: ReadonlyMap<string, KithError>): string[] {
  return rows.map(({ id }) => refusals.get(id)?.code ?? 'ok');
}
