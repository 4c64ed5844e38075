/** MANY_TO_MANY: a write gives the whole list, what is stored is the difference. */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { inSlices, mapInSlices, nextSlice } from '../../lib/slices.ts';
import { whole } from '../../lib/long-text.ts';
import type { Decoded } from './decode.ts';
import type { LinkChange, LinkChanges } from './leave.ts';
import { castType, junctionColumns, type StoredColumn } from './columns.ts';
import { firstPosition, place } from './link-order.ts';
import { lockVisible, missingReference, targetOf } from './references.ts';

/** One link of one record, for a set-based insert. */
interface StoredLink {
  readonly source: string;
  readonly target: string;
  readonly position: number;
  readonly junction: Link['junction'];
}

function linkTable(call: Call, field: FieldDef): Sql {
  return call.workspace.table(field.linkTable ?? '');
}

/**
 * Makes `links` the record's links of each field and gives the `LinkChanges` as JSON text, null where nothing changed. The record
 * itself is locked. Throws VALIDATION_ERROR for a new target that does not exist or is not visible.
 */
export async function replaceLinks(
  call: Call,
  tx: WorkspaceTransaction,
  recordId: string,
  links: ReadonlyMap<FieldDef, readonly Link[]>,
): Promise<string | null> {
  const changes: Record<string, LinkChange> = {};
  for (const [field, wanted] of links) {
    const change = await replaceList(call, tx, recordId, field, wanted);
    if (change) changes[field.id] = change;
  }
  return changesText(changes);
}

async function changesText(changes: LinkChanges): Promise<string | null> {
  return Object.keys(changes).length > 0 ? whole(await writeJson(changes)) : null;
}

/** What a new record with these links has to tell of them: `LinkChanges` as JSON text. */
export async function linksOfNew(links: Decoded['links']): Promise<string | null> {
  const changes: Record<string, LinkChange> = {};
  for (const [field, given] of links) {
    const added = [...new Set(await mapInSlices(given, ({ target }) => target))];
    if (added.length > 0) changes[field.id] = { added, removed: [] };
  }
  return changesText(changes);
}

/** A record with the links that it is given. */
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

async function replaceList(
  call: Call,
  tx: WorkspaceTransaction,
  source: string,
  field: FieldDef,
  wanted: readonly Link[],
): Promise<LinkChange | undefined> {
  const stored = await storedLinks(call, tx, field, source);
  const targets = wanted.map((link) => link.target);
  const known = new Set(targets);
  const added = [...known].filter((target) => !stored.has(target));
  const removed = [...stored.keys()].filter((target) => !known.has(target));
  const altered: string[] = [];
  await inSlices(wanted, ({ target, junction }) => {
    const was = stored.get(target);
    if (was && !isDeepStrictEqual(was.junction, junction)) altered.push(target);
  });
  const stood = new Map([...stored].map(([target, { position }]) => [target, position]));
  const { positions, moved } = place(new Map([...stood].filter(([target]) => known.has(target))), targets);
  if (added.length + removed.length + altered.length + moved.length === 0) return undefined;
  await lockTargets(call, tx, field, added);
  if (removed.length > 0) {
    await tx.run(
      sql`delete from ${linkTable(call, field)} where source_id = ${source}::uuid and target_id = any(${removed}::uuid[])`,
    );
  }
  const changed = new Set([...positions.keys(), ...altered]);
  const written = wanted
    .filter(({ target }) => changed.has(target))
    .map((link) => ({ ...link, source, position: positions.get(link.target) ?? stood.get(link.target) ?? 0 }));
  await insertLinks(call, tx, field, written);
  const columns = junctionColumns(field);
  const touched = columns.length > 0 ? [...removed, ...altered] : [];
  const displaced = [...removed, ...positions.keys()].filter((target) => stood.has(target));
  const isSpread = displaced.length > removed.length + moved.length;
  return {
    added,
    removed,
    ...(touched.length > 0 && {
      was: await fromEach(touched, (target) => byFieldId(columns, stored.get(target)?.junction)),
    }),
    ...(displaced.length > 0 && { stood: await fromEach(displaced, (target) => stood.get(target) ?? 0) }),
    ...(isSpread && { moved }),
  };
}

async function fromEach<Value>(
  targets: readonly string[],
  value: (target: string) => Value,
): Promise<Readonly<Record<string, Value>>> {
  return Object.fromEntries(await mapInSlices(targets, (target) => [target, value(target)]));
}

interface KnownLink {
  readonly position: number;
  readonly junction: readonly Cell[];
}

/** The record's links, by target and locked. */
async function storedLinks(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  recordId: string,
): Promise<Map<string, KnownLink>> {
  const cells = junctionColumns(field).map((column) => sql`l.${identifier(column.name)}::text`);
  const { rows } =
    await tx.run(sql`select ${join([sql`l.target_id`, sql`l.position`, ...cells], ', ')} from ${linkTable(call, field)} l
    where l.source_id = ${recordId}::uuid order by l.target_id for update`);
  return new Map(
    await mapInSlices(rows, ([id, position, ...junction]) => [id ?? '', { position: Number(position), junction }]),
  );
}

async function lockTargets(
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

/** What is wrong with links, by the records' ids: they lead to what is not there, or not visible. */
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

/** What is wrong with the links that a change adds to those of the record. */
export async function strayLinksOfChange(
  call: Call,
  tx: WorkspaceTransaction,
  source: string,
  given: Decoded['links'],
): Promise<readonly FieldError[]> {
  const problems: FieldError[] = [];
  for (const [field, links] of given) {
    const stored = await storedLinks(call, tx, field, source);
    const added = [...new Set(links.map(({ target }) => target))].filter((target) => !stored.has(target));
    const present = await presentTargets(call, tx, field, added);
    if (present.size < added.length) problems.push(missingReference(field, targetOf(field, []) ?? ''));
  }
  return problems;
}

/** Those of `ids`, each once, that the field may link to, locked against the trash. */
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

/** Ids of one statement. */
const lockedAtOnce = 10_000;

/** Characters of one statement: to send so much takes ten milliseconds. */
export const mostWeight = 500_000;

const linkWeight = 64;
const junctionWeight = 8;

/** What a link takes of a statement, in characters. */
export function weightOfLink({ junction }: Pick<Link, 'junction'>): number {
  let weight = linkWeight;
  for (const cell of junction) weight += junctionWeight + (cell?.length ?? 0);
  return weight;
}

/** Inserts links, or brings their junction values and order up to date; as many at once as a statement takes. */
async function insertLinks(
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

/** The cells of a link by the ids of its fields, which outlast their names and places. */
function byFieldId(columns: readonly StoredColumn[], cells: readonly Cell[] = []): Readonly<Record<string, Cell>> {
  return Object.fromEntries(columns.map(({ field }, at) => [field.id, cells[at] ?? null]));
}
