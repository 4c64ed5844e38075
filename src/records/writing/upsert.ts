/** A record that is made, or changed where there is one with the same value of a field. [decisions: Writing] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { newId } from '../../lib/id.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import { readWritten, type Written } from '../reading/read-written.ts';
import { changeRows, lockForChange } from './change-rows.ts';
import { createRows, type NewRecord } from './create-rows.ts';
import { decodeValues, writingOf, type Decoded, type Writing } from './decode.ts';
import { fillNewRecord } from './defaults.ts';
import { duplicateIn } from './duplicate.ts';
import { refuseFloodOfHtml } from './html-flood.ts';
import { holdKeys, matchesOf, matchKeys, oneMatch, withoutMatch } from './match.ts';
import { settlePosition } from './pipeline-position.ts';
import { refuseHugeTexts } from './record-size.ts';
import { throwRefusal } from './row-write.ts';
import { namingDuplicates } from './unique.ts';

export interface Upserted {
  readonly id: string;
  readonly action: 'created' | 'updated';
  readonly record: Written;
}

/** A create that does not match by keys may come in between, and a match may go. */
const mostAttempts = 4;

/**
 * Throws MISSING_REQUIRED_FIELD without a value of `match`, CONFLICT where several records match, and what a create or an update is
 * refused for.
 */
export async function upsertOne(call: Call, object: ObjectDef, match: FieldDef, values: JsonObject): Promise<Upserted> {
  refuseFloodOfHtml(object, [values]);
  if (!Object.hasOwn(values, match.name)) throw errors.missingField(match.name, 'records are matched by it');
  const writing = writingOf(call, object);
  const mistakes = new Mistakes();
  const decoded = await decodeValues(writing, values, mistakes);
  await refuseHugeTexts(object, decoded);
  mistakes.refuse();
  const keys = matchKeys(match, decoded);
  const once = () => call.workspace.transaction((tx) => upsert(call, tx, writing, match, keys, decoded));
  for (let attempt = 1; attempt < mostAttempts; attempt++) {
    try {
      const written = await once();
      if (written) return written;
    } catch (error) {
      const duplicate = duplicateIn(object, error);
      if (duplicate?.field !== match) return namingDuplicates(call, object, decoded, () => Promise.reject(error));
    }
  }
  const last = await namingDuplicates(call, object, decoded, once);
  if (!last) throw errors.conflict(`What matches by ${match.name} changes all the time: try again`);
  return last;
}

/** Undefined where what matched is another by now. */
async function upsert(
  call: Call,
  tx: WorkspaceTransaction,
  writing: Writing,
  match: FieldDef,
  keys: readonly string[],
  decoded: Decoded,
): Promise<Upserted | undefined> {
  const { object } = writing;
  await holdKeys(call, tx, match, keys);
  const found = async () => oneMatch(object, match, keys, await matchesOf(call, tx, object, match, keys));
  const known = await found();
  if (known === undefined) {
    const record = await newRecord(call, writing, decoded);
    await createRows(call, tx, object, [record]);
    return { id: record.id, action: 'created', record: await readWritten(call, tx, object, record.id) };
  }
  const refusals = await lockForChange(call, tx, object, [known]);
  if ((await found()) !== known) return undefined;
  throwRefusal(refusals);
  const change = changeOf(writing, match, decoded);
  if (change.cells.size + change.links.size > 0) await changeRows(call, tx, object, [{ ...change, id: known }]);
  return { id: known, action: 'updated', record: await readWritten(call, tx, object, known) };
}

/** The values as those of a record that matches. Throws VALIDATION_ERROR. */
export function changeOf({ object, context }: Writing, match: FieldDef, decoded: Decoded): Decoded {
  const mistakes = new Mistakes();
  const change = withoutMatch(match, decoded);
  settlePosition(object, context.pipelines, change, mistakes);
  mistakes.refuse();
  return change;
}

/** The values as those of a new record. Throws PERMISSION_DENIED, VALIDATION_ERROR. */
export async function newRecord(call: Call, { object, context }: Writing, decoded: Decoded): Promise<NewRecord> {
  if (!call.visibility.mayCreate(object.name))
    throw errors.permissionDenied(`No record matches, and your role may not create ${object.name}`);
  const mistakes = new Mistakes();
  const { cells, links, byStep, ...rest } = decoded;
  const filled = { ...rest, cells: new Map(cells), links: new Map(links), byStep: new Set(byStep), id: newId() };
  await fillNewRecord(call, object, filled, context, mistakes);
  mistakes.refuse();
  return filled;
}
