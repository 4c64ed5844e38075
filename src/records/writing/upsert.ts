/** Creates a record, or updates the one with the same value of a field. [decisions: Writing] */
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
import { expectedStates } from './etag.ts';
import { isAsExpected } from './expect-state.ts';
import { refuseFloodOfHtml } from './html-flood.ts';
import { holdKeys, matchesOf, matchKeys, oneMatch, withoutMatch } from './match.ts';
import { settlePosition } from './pipeline-position.ts';
import { refuseHugeTexts } from './record-size.ts';
import { throwRefusal } from './row-write.ts';
import { staleError } from './update.ts';
import { namingDuplicates, withDuplicateNamed } from './unique.ts';

export interface Upserted {
  readonly id: string;
  readonly action: 'created' | 'updated';
  readonly record: Written;
}

/** Retries: a create without match keys may intervene, and a match may disappear. */
const mostAttempts = 4;

/** The matching record is in none of the states that the write expects. */
class StaleMatch extends Error {
  readonly id: string;

  constructor(id: string) {
    super();
    this.id = id;
  }
}

/**
 * Creates or updates. With `ifMatch`, the record must exist in one of those states. Throws MISSING_REQUIRED_FIELD
 * without a value of `match`, CONFLICT for several matches or another state, and the refusals of a create or an
 * update.
 */
export async function upsertOne(
  call: Call,
  object: ObjectDef,
  match: FieldDef,
  values: JsonObject,
  ifMatch?: string,
): Promise<Upserted> {
  try {
    return await attempts(call, object, match, values, ifMatch);
  } catch (error) {
    if (!(error instanceof StaleMatch)) throw error;
    throw await staleError(call, object, error.id, values);
  }
}

async function attempts(
  call: Call,
  object: ObjectDef,
  match: FieldDef,
  values: JsonObject,
  ifMatch: string | undefined,
): Promise<Upserted> {
  const expected = expectedStates(ifMatch);
  refuseFloodOfHtml(object, [values]);
  if (!Object.hasOwn(values, match.name)) throw errors.missingField(match.name, 'records are matched by it');
  const writing = writingOf(call, object);
  const mistakes = new Mistakes();
  const decoded = await decodeValues(writing, values, mistakes);
  await refuseHugeTexts(object, decoded);
  mistakes.refuse();
  const keys = matchKeys(match, decoded);
  const once = () =>
    call.workspace.transaction(async (tx) => {
      const known = await lockedMatch(call, tx, object, match, keys);
      if (!known) return undefined;
      const { id } = known;
      if (id === undefined && ifMatch !== undefined) throw errors.stale();
      if (id !== undefined && !(await isAsExpected(call, tx, object, id, expected))) throw new StaleMatch(id);
      return write(call, tx, writing, match, id, decoded);
    });
  for (let attempt = 1; attempt < mostAttempts; attempt++) {
    try {
      const written = await once();
      if (written) return written;
    } catch (error) {
      const duplicate = duplicateIn(object, error);
      if (duplicate?.field !== match) throw await withDuplicateNamed(call, object, decoded, error);
    }
  }
  const last = await namingDuplicates(call, object, decoded, once);
  if (!last) throw errors.conflict(`What matches by ${match.name} changes all the time: try again`);
  return last;
}

/** Locks the matching record; without an id where none matches; undefined where the match changed meanwhile. */
async function lockedMatch(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  match: FieldDef,
  keys: readonly string[],
): Promise<{ readonly id: string | undefined } | undefined> {
  await holdKeys(call, tx, match, keys);
  const found = async () => oneMatch(object, match, keys, await matchesOf(call, tx, object, match, keys));
  const known = await found();
  if (known === undefined) return { id: undefined };
  const refusals = await lockForChange(call, tx, object, [known]);
  if ((await found()) !== known) return undefined;
  throwRefusal(refusals);
  return { id: known };
}

/** Creates the record, or changes the locked record `known`. */
async function write(
  call: Call,
  tx: WorkspaceTransaction,
  writing: Writing,
  match: FieldDef,
  known: string | undefined,
  decoded: Decoded,
): Promise<Upserted> {
  const { object } = writing;
  if (known === undefined) {
    const record = await newRecord(call, writing, decoded);
    await createRows(call, tx, object, [record]);
    return { id: record.id, action: 'created', record: await readWritten(call, tx, object, record.id) };
  }
  const change = changeOf(writing, match, decoded);
  if (change.cells.size + change.links.size > 0) await changeRows(call, tx, object, [{ ...change, id: known }]);
  return { id: known, action: 'updated', record: await readWritten(call, tx, object, known) };
}

/** The values as the change of a matching record. Throws VALIDATION_ERROR. */
export function changeOf({ object, context }: Writing, match: FieldDef, decoded: Decoded): Decoded {
  const mistakes = new Mistakes();
  const change = withoutMatch(match, decoded);
  settlePosition(object, context.pipelines, change, mistakes);
  mistakes.refuse();
  return change;
}

/** The values as a new record. Throws PERMISSION_DENIED, VALIDATION_ERROR. */
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
