/**
 * One change of many records in one transaction: all are locked first, in id order, then written in batches. Refused
 * records are reported; the others are changed. [spec: Bulk]
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import { nextSlice } from '../../lib/slices.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { planIds } from '../../query/plan-ids.ts';
import { namingMasters } from '../merging/old-ids.ts';
import { changeLocked, lockForChange } from './change-rows.ts';
import type { Decoded } from './decode.ts';
import { addLinks, removeLinks } from './link-many.ts';
import { presentTargets } from './links.ts';
import { missingReference, targetOf } from './references.ts';
import { inHalves } from './in-halves.ts';
import type { Refusals } from './row-write.ts';
import { lockForTrash, restoreRows, trashRows, type Verb } from './trash.ts';
import { clashesAmong } from './unique.ts';

/** The change to make to every record. */
export type SharedChange =
  | { readonly kind: 'set'; readonly values: Decoded }
  | { readonly kind: 'link'; readonly field: FieldDef; readonly links: readonly Link[] }
  | { readonly kind: 'unlink'; readonly field: FieldDef; readonly targets: readonly string[] }
  /** Moves them into the trash or out of it. */
  | { readonly kind: 'trash'; readonly verb: Verb }
  /** No change: every record the caller may change is refused with `reason`. */
  | { readonly kind: 'none'; readonly reason: KithError };

export interface ChangedMany {
  /** Records that are now as requested. */
  readonly changed: number;
  /** Removed links. */
  readonly unlinked: number;
  /** Why each of the other records is unchanged. */
  readonly refusals: Refusals;
}

interface Work {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  readonly object: ObjectDef;
  readonly refusals: Map<string, KithError>;
  /** The records that are not refused. */
  allowed(): readonly string[];
  refuseAll(reason: KithError): void;
}

/** Changes the records of `ids`, each once; with `where`, only those that still match. Throws StaleCaller. */
export async function changeMany(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  change: SharedChange,
  ids: readonly string[],
  where?: readonly FilterGroup[],
): Promise<ChangedMany> {
  const locked =
    change.kind === 'trash'
      ? await lockForTrash(call, tx, object, ids, change.verb)
      : await lockForChange(call, tx, object, ids);
  const refusals = new Map(locked);
  const allowed = () => ids.filter((id) => !refusals.has(id));
  const refuseAll = (reason: KithError) => allowed().forEach((id) => void refusals.set(id, reason));
  const work: Work = { call, tx, object, refusals, allowed, refuseAll };
  if (where) await refuseUnmatched(work, where);
  const unlinked = await carryOut(work, change);
  return { changed: allowed().length, unlinked, refusals: await namingMasters(call, tx, object, refusals) };
}

/** Returns the number of removed links. */
async function carryOut(work: Work, change: SharedChange): Promise<number> {
  switch (change.kind) {
    case 'none':
      work.refuseAll(change.reason);
      return 0;
    case 'set':
      await set(work, change.values);
      return 0;
    case 'link':
      await link(work, change.field, change.links);
      return 0;
    case 'trash':
      await trashOrRestore(work, change.verb);
      return 0;
    default:
      return removeTargets(work, change.field, change.targets);
  }
}

/** A record may have changed between its selection and its lock. */
async function refuseUnmatched({ call, tx, object, refusals, allowed }: Work, where: readonly FilterGroup[]) {
  const candidates = allowed();
  const plan = planIds(call, object, where, { among: candidates, most: candidates.length });
  const matching = new Set(plan.read((await tx.run(plan.statement)).rows));
  const reason = errors.conflict('The record does not match the filters any more');
  for (const id of candidates) if (!matching.has(id)) refusals.set(id, reason);
}

async function set(work: Work, values: Decoded): Promise<void> {
  const { call, tx, object, refusals } = work;
  // Lock all targets first: the object's state row, written with each row, is the contended one.
  for (const [field, links] of values.links) await requireTargets(work, field, links);
  for (const [id, clash] of await clashesAmong(call, tx.run, object, values, work.allowed())) refusals.set(id, clash);
  await inPortions(work, rowsAtOnce(values), async (ids) => {
    for (const [id, error] of await changeLocked(
      call,
      tx,
      object,
      ids.map((id) => ({ ...values, id })),
    ))
      refusals.set(id, error);
  });
}

async function link(work: Work, field: FieldDef, links: readonly Link[]): Promise<void> {
  await requireTargets(work, field, links);
  await inPortions(work, linksAtOnce / links.length, (ids) => addLinks({ ...work, field }, ids, links));
}

/** Trashing cannot fail; restoring refuses records whose unique values are taken by now. */
async function trashOrRestore(work: Work, verb: Verb): Promise<void> {
  const { call, tx, object, refusals } = work;
  await inPortions(work, mostAtOnce, async (ids) => {
    if (verb === 'delete') return trashRows(call, tx, object, ids);
    const rows = ids.map((id) => ({ id }));
    await inHalves(call, tx, object, rows, refusals, (some) =>
      restoreRows(
        call,
        tx,
        object,
        some.map(({ id }) => id),
      ),
    );
  });
}

async function removeTargets(work: Work, field: FieldDef, targets: readonly string[]): Promise<number> {
  const { call, tx } = work;
  // A target that the caller may not see counts as not linked.
  const present = [...(await presentTargets(call, tx, field, targets))];
  let unlinked = 0;
  if (present.length === 0) return unlinked;
  await inPortions(work, linksAtOnce / present.length, async (ids) => {
    for (const count of (await removeLinks({ ...work, field }, ids, present)).values()) unlinked += count;
  });
  return unlinked;
}

/** Locks the link targets; if one is missing, all records are refused. */
async function requireTargets(work: Work, field: FieldDef, links: readonly Link[]): Promise<void> {
  const targets = new Set(links.map(({ target }) => target));
  const present = await presentTargets(work.call, work.tx, field, [...targets]);
  if (present.size === targets.size) return;
  const problem = missingReference(field, targetOf(field, []) ?? '');
  work.refuseAll(errors.validation(problem.message, [problem]));
}

async function inPortions(work: Work, most: number, write: (ids: readonly string[]) => Promise<void>): Promise<void> {
  // In id order, so that history entries are, too.
  const ids = work.allowed().toSorted();
  const size = Math.min(mostAtOnce, Math.max(1, Math.floor(most)));
  for (let at = 0; at < ids.length; at += size) {
    work.call.signal.throwIfAborted();
    await write(ids.slice(at, at + size));
    await nextSlice();
  }
}

/** Records per statement. */
const mostAtOnce = 1_000;
/** Links per statement. */
const linksAtOnce = 5_000;
/** Characters of cells per statement. */
const mostCharacters = 4_000_000;

function rowsAtOnce(values: Decoded): number {
  const links = values.links.values().reduce((sum, own) => sum + own.length, 0);
  return Math.min(mostCharacters / Math.max(1, lengthOf(values)), linksAtOnce / Math.max(1, links));
}

/** Sums the characters of all cells. */
export function lengthOf({ cells }: Pick<Decoded, 'cells'>): number {
  return cells.values().reduce((sum, own) => sum + own.reduce((length, cell) => length + (cell?.length ?? 0), 0), 0);
}
