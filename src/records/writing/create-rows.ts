/** New records by the thousand, or one: links and unique values first, then the rows with what they leave. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError, Mistakes } from '../../errors.ts';
import { nextSlice } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Decoded } from './decode.ts';
import { duplicateIn } from './duplicate.ts';
import { inHalves } from './in-halves.ts';
import { insertion, type NewRow } from './insertion.ts';
import { judgeRows } from './judge-rows.ts';
import { insertNewLinks, linksOfNew, presentTargets } from './links.ts';
import { missingReference, targetOf } from './references.ts';
import { refusalsOf, throwRefusal, type Refusals } from './row-write.ts';
import { duplicateOf, takenKeys, uniqueKeys } from './unique.ts';
import { takeValuesOfRows } from './unique-values.ts';
import { writeRows } from './write-rows.ts';

/** A record that is to be made. */
export interface NewRecord extends Decoded {
  readonly id: string;
}

/** The second refusals, each with the problems of the same record among the first before its own. */
function withProblemsOf(first: Refusals, second: Refusals): Refusals {
  const joined = new Map<string, KithError>();
  for (const [id, error] of second) {
    const mistakes = new Mistakes();
    for (const problem of [...(first.get(id)?.fieldErrors ?? []), ...(error.fieldErrors ?? [])]) mistakes.add(problem);
    joined.set(id, mistakes.error() ?? error);
  }
  return joined;
}

/** Makes all of the records in the transaction. Throws what the first of them is refused for, and Duplicate. */
export async function createRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<void> {
  throwRefusal(await strayLinks(call, tx, records));
  await write(call, tx, object, records);
}

/** Makes those of the records that can be made, each standing on its own, and says why the others are not. */
export async function createEach(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<Refusals> {
  const refusals = new Map<string, KithError>();
  const leaving = (found: Refusals) => {
    for (const [id, error] of found) refusals.set(id, error);
    return records.filter(({ id }) => !refusals.has(id));
  };
  const bare = records.map((record) => ({ ...record, links: null }));
  const judged = await insertion(call, object, bare);
  leaving(refusalsOf(judged, await judgeRows(tx, judged)));
  let good = leaving(withProblemsOf(refusals, await strayLinks(call, tx, records)));
  good = leaving(await duplicates(call, tx, object, good));
  const refused = (record: NewRecord, error: unknown) =>
    void refusals.set(record.id, asRefusal(call, object, error, refusals));
  await inHalves(tx, object, good, (some) => write(call, tx, object, some), refused);
  return refusals;
}

/** Links and unique values first: others wait for what the rows leave. The targets of the links are locked. */
async function write(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<void> {
  await insertNewLinks(call, tx, records);
  await takeValuesOfRows(call, tx, object, records);
  const rows: NewRow[] = [];
  for (const record of records) rows.push({ ...record, links: await linksOfNew(record.links) });
  await nextSlice();
  throwRefusal(await writeRows(call, tx, await insertion(call, object, rows)));
}

/** Records with links to what is not there, or not visible. */
async function strayLinks(call: Call, tx: WorkspaceTransaction, records: readonly NewRecord[]): Promise<Refusals> {
  const refusals = new Map<string, KithError>();
  const fields = new Set(records.flatMap(({ links }) => [...links.keys()]));
  for (const field of fields) {
    const targets = new Set(records.flatMap(({ links }) => (links.get(field) ?? []).map(({ target }) => target)));
    const present = await presentTargets(call, tx, field, [...targets]);
    const problem = missingReference(field, targetOf(field, []) ?? '');
    for (const { id, links } of records) {
      const isWhole = (links.get(field) ?? []).every(({ target }) => present.has(target));
      if (isWhole) continue;
      const problems = [...(refusals.get(id)?.fieldErrors ?? []), problem];
      refusals.set(id, errors.validation(problems.map(({ message }) => message).join('; '), problems));
    }
  }
  return refusals;
}

/** Records with a unique value that another record has, or one before them here. */
async function duplicates(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly NewRecord[],
): Promise<Refusals> {
  const taken = await takenKeys(call, tx.run, object, records);
  const refusals = new Map<string, KithError>();
  for (const record of records) {
    const keys = uniqueKeys(object, record);
    const clash = keys.find(({ field, key }) => taken.get(field)?.has(key));
    if (clash) refusals.set(record.id, duplicateOf(call, object, clash.field));
    else for (const { field, key } of keys) taken.get(field)?.add(key);
  }
  return refusals;
}

/** Why the database refuses a record is for the log: of the first such one, since thousands may fail alike. */
function asRefusal(call: Call, object: ObjectDef, thrown: unknown, before: Refusals): KithError {
  if (thrown instanceof KithError) return thrown;
  const duplicate = duplicateIn(object, thrown);
  if (duplicate) return duplicateOf(call, object, duplicate.field);
  const error = errors.valueRefused(thrown);
  if (![...before.values()].some(({ code }) => code === error.code)) call.report(error);
  return error;
}
