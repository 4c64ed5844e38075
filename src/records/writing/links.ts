/** Stored links of MANY_TO_MANY fields, for many records at once. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import type { Cell } from '../../postgres/database.ts';
import { empty, identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { inSlices, mapInSlices, nextSlice } from '../../lib/slices.ts';
import { whole } from '../../lib/long-text.ts';
import type { Decoded } from './decode.ts';
import type { LinkChange, LinkChanges } from './leave.ts';
import { castType, junctionColumns } from './columns.ts';
import { firstPosition } from './link-order.ts';
import { lockVisible, missingReference, targetOf } from './references.ts';

/** One link of one record, for a set-based insert. */
export interface StoredLink {
  readonly source: string;
  readonly target: string;
  readonly position: number;
  readonly junction: Link['junction'];
}

/** The table that holds the links of the field. */
export function linkTable(call: Call, field: FieldDef): Sql {
  return call.workspace.table(field.linkTable ?? '');
}

/** The changes as JSON text; null where nothing changed. */
export async function changesText(changes: LinkChanges): Promise<string | null> {
  return Object.keys(changes).length > 0 ? whole(await writeJson(changes)) : null;
}

/** The `LinkChanges` of a new record with these links, as JSON text. */
export async function linksOfNew(links: Decoded['links']): Promise<string | null> {
  const changes: Record<string, LinkChange> = {};
  for (const [field, given] of links) {
    const added = [...new Set(await mapInSlices(given, ({ target }) => target))];
    if (added.length > 0) changes[field.id] = { added, removed: [] };
  }
  return changesText(changes);
}

/** A record with its new links. */
interface LinkingRecord {
  readonly id: string;
  readonly links: Decoded['links'];
}

/** Inserts the links of new records, whose targets are locked. */
export async function insertNewLinks(
  call: Call,
  tx: WorkspaceTransaction,
  records: readonly LinkingRecord[],
): Promise<void> {
  for (const field of new Set(records.flatMap(({ links }) => [...links.keys()]))) {
    const links = records.flatMap(({ id, links: given }) =>
      (given.get(field) ?? []).map((link, at) => ({ ...link, source: id, position: firstPosition(at) })),
    );
    await insertLinks(call, tx, field, links);
  }
}

/** A stored link: its position and its junction cells. */
export interface KnownLink {
  readonly position: number;
  readonly junction: readonly Cell[];
}

/** Links by record, then by target. */
export type KnownLinks = ReadonlyMap<string, ReadonlyMap<string, KnownLink>>;

/** Locks and returns the links of the records; with `targets`, only those that lead there. */
export async function storedLinks(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  recordIds: readonly string[],
  targets?: readonly string[],
): Promise<KnownLinks> {
  const cells = junctionColumns(field).map((column) => sql`l.${identifier(column.name)}::text`);
  const leadsThere = targets ? sql` and l.target_id = any(${targets}::uuid[])` : empty;
  const { rows } =
    await tx.run(sql`select ${join([sql`l.source_id`, sql`l.target_id`, sql`l.position`, ...cells], ', ')} from ${linkTable(call, field)} l
    where l.source_id = any(${recordIds}::uuid[])${leadsThere} order by l.source_id, l.target_id for update`);
  const known = new Map<string, Map<string, KnownLink>>();
  await inSlices(rows, ([source, target, position, ...junction]) => {
    const links = known.get(source ?? '') ?? new Map<string, KnownLink>();
    known.set(source ?? '', links.set(target ?? '', { position: Number(position), junction }));
  });
  return known;
}

/** Removes the links of each record to each target. */
export async function deleteLinks(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  recordIds: readonly string[],
  targets: readonly string[],
): Promise<void> {
  if (recordIds.length === 0 || targets.length === 0) return;
  await tx.run(sql`delete from ${linkTable(call, field)}
    where source_id = any(${recordIds}::uuid[]) and target_id = any(${targets}::uuid[])`);
}

/** Locks the targets against the trash. Throws VALIDATION_ERROR for one that does not exist or is not visible. */
export async function lockTargets(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  ids: readonly string[],
): Promise<void> {
  const present = await presentTargets(call, tx, field, ids);
  if (present.size === ids.length) return;
  const problem = missingReference(field, targetOf(field, []) ?? '');
  throw errors.validation(problem.message, [problem]);
}

/** The errors of links whose targets are missing or not visible, by record id. */
export async function strayLinks(
  call: Call,
  tx: WorkspaceTransaction,
  records: readonly LinkingRecord[],
): Promise<ReadonlyMap<string, readonly FieldError[]>> {
  const problems = new Map<string, FieldError[]>();
  const fields = new Set(records.flatMap(({ links }) => [...links.keys()]));
  for (const field of fields) {
    const targets = new Set(records.flatMap(({ links }) => (links.get(field) ?? []).map(({ target }) => target)));
    const present = await presentTargets(call, tx, field, [...targets]);
    const problem = missingReference(field, targetOf(field, []) ?? '');
    for (const { id, links } of records) {
      if ((links.get(field) ?? []).every(({ target }) => present.has(target))) continue;
      problems.set(id, [...(problems.get(id) ?? []), problem]);
    }
  }
  return problems;
}

/** The errors of links that a change adds. */
export async function strayLinksOfChange(
  call: Call,
  tx: WorkspaceTransaction,
  source: string,
  given: Decoded['links'],
): Promise<readonly FieldError[]> {
  const problems: FieldError[] = [];
  for (const [field, links] of given) {
    const stored = (await storedLinks(call, tx, field, [source])).get(source);
    const added = [...new Set(links.map(({ target }) => target))].filter((target) => !stored?.has(target));
    const present = await presentTargets(call, tx, field, added);
    if (present.size < added.length) problems.push(missingReference(field, targetOf(field, []) ?? ''));
  }
  return problems;
}

/** Those of `ids`, without repetition, that the field may link to, locked against the trash. */
export async function presentTargets(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const target = targetOf(field, []);
  const present = new Set<string>();
  if (target === undefined) return new Set(ids);
  for (let at = 0; at < ids.length; at += lockedAtOnce) {
    const found = await tx.run(lockVisible(call, target, ids.slice(at, at + lockedAtOnce)));
    await inSlices(found.rows, ([id]) => void present.add(id ?? ''));
  }
  return present;
}

/** Ids per statement. */
const lockedAtOnce = 10_000;

/** Characters per statement: sending so many takes ten milliseconds. */
export const mostWeight = 500_000;

const linkWeight = 64;
const junctionWeight = 8;

/** The share of a link in a statement, in characters. */
export function weightOfLink({ junction }: Pick<Link, 'junction'>): number {
  let weight = linkWeight;
  for (const cell of junction) weight += junctionWeight + (cell?.length ?? 0);
  return weight;
}

/** Inserts links, or updates their junction values and positions, in batches. */
export async function insertLinks(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  links: readonly StoredLink[],
): Promise<void> {
  let some: StoredLink[] = [];
  let room = mostWeight;
  for (const link of links) {
    room -= weightOfLink(link);
    if (room < 0 && some.length > 0) {
      await tx.run(insertion(call, field, some));
      await nextSlice();
      some = [];
      room = mostWeight - weightOfLink(link);
    }
    some.push(link);
  }
  if (some.length > 0) await tx.run(insertion(call, field, some));
}

function insertion(call: Call, field: FieldDef, links: readonly StoredLink[]): Sql {
  const junction = junctionColumns(field);
  const names = junction.map((column) => identifier(column.name));
  const lists = [
    sql`${links.map((link) => link.source)}::uuid[]`,
    sql`${links.map((link) => link.target)}::uuid[]`,
    sql`${links.map((link) => link.position)}::int[]`,
    ...junction.map((_, at) => sql`${links.map((link) => link.junction[at] ?? null)}::text[]`),
  ];
  const columns = [sql`source_id`, sql`target_id`, sql`position`, ...names];
  const values = [
    sql`l.source_id`,
    sql`l.target_id`,
    sql`l.position`,
    ...junction.map((column, at) => sql`${names[at] ?? sql``}::${castType(column)}`),
  ];
  const updates = [sql`position`, ...names].map((name) => sql`${name} = excluded.${name}`);
  return sql`insert into ${linkTable(call, field)} (${join(columns, ', ')})
    select ${join(values, ', ')} from unnest(${join(lists, ', ')}) l (${join(columns, ', ')})
    on conflict (source_id, target_id) do update set ${join(updates, ', ')}`;
}
