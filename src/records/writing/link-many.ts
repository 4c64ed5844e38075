/** Adds links to many records at once, or removes them. [spec: Bulk] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import { maxLinks } from '../../fields/types/many-to-many.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { alteration } from './alteration.ts';
import { junctionColumns } from './columns.ts';
import { inHalves } from './in-halves.ts';
import { positionsBehind } from './link-order.ts';
import {
  changesText,
  deleteLinks,
  insertLinks,
  linkTable,
  storedLinks,
  type KnownLinks,
  type StoredLink,
} from './links.ts';
import { refuseMoreLinks, type LinkCounts } from './record-size.ts';
import { byFieldId, replaceLinks } from './replace-links.ts';
import { throwRefusal } from './row-write.ts';
import { writeRows } from './write-rows.ts';

/** The scope for writing links of one field, for records that are locked and judged. */
export interface Linking {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  readonly object: ObjectDef;
  readonly field: FieldDef;
  /** Refusals by record id. */
  readonly refusals: Map<string, KithError>;
}

/** Adds the links that each record lacks; others stay. The targets are locked. */
export async function addLinks(linking: Linking, ids: readonly string[], links: readonly Link[]): Promise<void> {
  const { call, tx, object, refusals } = linking;
  await inHalves(call, tx, object, named(ids), refusals, async (some) => {
    const texts = await append(
      linking,
      some.map(({ id }) => id),
      links,
    );
    await leave(linking, texts);
  });
}

/**
 * Removes the links to `targets`, and returns how many each record lost. A record that would lose the last link of a
 * required field is refused.
 */
export async function removeLinks(
  linking: Linking,
  ids: readonly string[],
  targets: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { call, tx, object, refusals } = linking;
  const removed = new Map<string, number>();
  await inHalves(call, tx, object, named(ids), refusals, async (some) => {
    const unlinked = await removeTargets(
      linking,
      some.map(({ id }) => id),
      targets,
    );
    await leave(linking, new Map([...unlinked].map(([id, { text }]) => [id, text])));
    for (const [id, { count }] of unlinked) removed.set(id, count);
  });
  return removed;
}

const named = (ids: readonly string[]) => ids.map((id) => ({ id }));

/** Writes the records whose links have changed, with the changes as history. */
async function leave({ call, tx, object }: Linking, texts: ReadonlyMap<string, string | null>): Promise<void> {
  if (texts.size === 0) return;
  const rows = [...texts].map(([id, links]) => ({ id, cells: new Map(), byStep: new Set<FieldDef>(), links }));
  throwRefusal(await writeRows(call, tx, await alteration(call, object, rows, true)));
}

/** Inserts the missing links, and returns `LinkChanges` as JSON text by the ids of the changed records. */
async function append(
  { call, tx, object, field, refusals }: Linking,
  ids: readonly string[],
  links: readonly Link[],
): Promise<ReadonlyMap<string, string | null>> {
  const targets = links.map(({ target }) => target);
  const stored = await storedLinks(call, tx, field, ids, targets);
  const ends = await listEnds({ call, tx, field }, ids);
  const written: StoredLink[] = [];
  const counts: LinkCounts[] = [];
  const texts = new Map<string, string | null>();
  const crowded = new Map<string, readonly Link[]>();
  for (const id of ids) {
    if (sliceIsOver()) await nextSlice();
    const known = stored.get(id);
    const added = known ? links.filter(({ target }) => !known.has(target)) : links;
    if (added.length === 0) continue;
    const end = ends.get(id);
    const count = (end?.count ?? 0) + added.length;
    if (count > maxLinks) {
      refusals.set(id, tooMany(field));
      continue;
    }
    counts.push({ id, counts: new Map([[field, count]]) });
    const positions = positionsBehind(end?.last, added.length);
    if (!positions) {
      crowded.set(id, added);
      continue;
    }
    for (const [at, link] of added.entries()) written.push({ ...link, source: id, position: positions[at]! });
    texts.set(id, await changesText({ [field.id]: { added: added.map(({ target }) => target), removed: [] } }));
  }
  await refuseMoreLinks(call, tx, object, counts);
  await insertLinks(call, tx, field, written);
  for (const [id, added] of crowded) texts.set(id, await spread({ call, tx, field }, id, added));
  return texts;
}

type LinkScope = Pick<Linking, 'call' | 'tx' | 'field'>;

/** The number of links of each record, and the position of its last one. */
async function listEnds(
  { call, tx, field }: LinkScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly last: number; readonly count: number }>> {
  const { rows } = await tx.run(sql`select l.source_id, max(l.position), count(*) from ${linkTable(call, field)} l
    where l.source_id = any(${ids}::uuid[]) group by l.source_id`);
  return new Map(rows.map(([id, last, count]) => [id ?? '', { last: Number(last), count: Number(count) }]));
}

/** Renumbers all links of a record that has no room behind its last one. */
async function spread({ call, tx, field }: LinkScope, id: string, added: readonly Link[]): Promise<string | null> {
  const stored = [...((await storedLinks(call, tx, field, [id])).get(id) ?? [])];
  const inOrder = stored.toSorted(([a, { position }], [b, other]) => position - other.position || (a < b ? -1 : 1));
  const all = [...inOrder.map(([target, { junction }]) => ({ target, junction })), ...added];
  return (await replaceLinks(call, tx, [{ id, links: new Map([[field, all]]) }])).get(id) ?? null;
}

const noIds: ReadonlySet<string> = new Set();

/** Deletes the links to `targets`, and returns the changes and the number of removed links by record id. */
async function removeTargets(
  { call, tx, field, refusals }: Linking,
  ids: readonly string[],
  targets: readonly string[],
): Promise<ReadonlyMap<string, { readonly text: string | null; readonly count: number }>> {
  const found = await storedLinks(call, tx, field, ids, targets);
  const emptied = field.isRequired ? await emptiedBy({ call, tx, field }, found) : noIds;
  for (const id of emptied) refusals.set(id, isNeeded(field));
  const stored = new Map([...found].filter(([id]) => !emptied.has(id)));
  const columns = junctionColumns(field);
  const changes = new Map<string, { readonly text: string | null; readonly count: number }>();
  for (const [id, links] of stored) {
    if (sliceIsOver()) await nextSlice();
    const removed = [...links.keys()];
    const each = <Value>(value: (target: string) => Value) =>
      Object.fromEntries(removed.map((target) => [target, value(target)]));
    const change = {
      added: [],
      removed,
      ...(columns.length > 0 && { was: each((target) => byFieldId(columns, links.get(target)?.junction)) }),
      stood: each((target) => links.get(target)?.position ?? 0),
    };
    changes.set(id, { text: await changesText({ [field.id]: change }), count: removed.length });
  }
  await deleteLinks(call, tx, field, [...stored.keys()], targets);
  return changes;
}

/** The records that would be left without a link. Their rows are locked, so nobody can add one meanwhile. */
async function emptiedBy({ call, tx, field }: LinkScope, going: KnownLinks): Promise<ReadonlySet<string>> {
  const ends = await listEnds({ call, tx, field }, [...going.keys()]);
  return new Set([...going].flatMap(([id, links]) => (ends.get(id)?.count === links.size ? [id] : [])));
}

function isNeeded({ name }: FieldDef): KithError {
  const message = `${name} is required`;
  return errors.validation(message, [{ field: name, message }]);
}

function tooMany({ name }: FieldDef): KithError {
  const message = `${name} must have at most ${maxLinks.toLocaleString('en')} links`;
  return errors.validation(message, [{ field: name, message }]);
}
