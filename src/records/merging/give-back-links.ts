/** Restores links that a merge moved to the master, and removes what the master got of the duplicate's own links. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import { relatedObject } from '../../query/row-scope.ts';
import { junctionColumns } from '../writing/columns.ts';
import type { LinkChange } from '../writing/leave.ts';
import { insertLinks, type StoredLink } from '../writing/links.ts';
import { laterEdits } from './later-edits.ts';
import { heldBy, heldSources } from './moved.ts';
import { linksFrom, linksTo, type LinkField } from './pointers.ts';
import { relinked } from './repoint.ts';
import type { GivingBack } from './giving-back.ts';
import { unreported } from './unreported.ts';

/** Restores the links; returns the changes of the master's own links by field id. */
export async function giveBackLinks(
  call: Call,
  tx: WorkspaceTransaction,
  giving: GivingBack,
): Promise<Record<string, LinkChange>> {
  const readded: Record<string, readonly string[]> = {};
  for (const field of linksTo(call.model, giving.object)) {
    if (await linkAgain(call, tx, giving, field)) readded[field.field.id] = [giving.id];
  }
  const changes: Record<string, LinkChange> = {};
  for (const field of linksFrom(giving.object)) {
    const removed = await takeFromMaster(call, tx, giving, field);
    const added = readded[field.field.id] ?? [];
    if (removed.length + added.length > 0) changes[field.field.id] = relinked(field, added, removed);
  }
  return changes;
}

/** Restores links of other records to the duplicate. Returns whether the master is among them. */
async function linkAgain(call: Call, tx: WorkspaceTransaction, giving: GivingBack, field: LinkField): Promise<boolean> {
  const { masterId, id, moved, siblings, touched, ambiguous, count } = giving;
  const { source, field: of } = field;
  const former = moved.linked[of.id] ?? {};
  const sources = Object.keys(former);
  if (sources.length === 0) return false;
  const alive = await tx.run(
    sql`select t.id from ${call.workspace.table(source.table)} t where t.id = any(${sources}::uuid[])`,
  );
  const present = new Set(alive.rows.map(([record]) => record ?? ''));
  const toMaster = new Map(
    (await rowsOf(call, tx, field, sql`l.target_id = ${masterId}::uuid and l.source_id = any(${sources}::uuid[])`)).map(
      (row) => [row.source, row],
    ),
  );
  const again = new Set(
    (await rowsOf(call, tx, field, sql`l.target_id = ${id}::uuid and l.source_id = any(${sources}::uuid[])`)).map(
      (row) => row.source,
    ),
  );
  const edits = await laterEdits(call, tx, source.id, sources, giving);
  const hidden = await unreported(call, tx, source, sources);
  const held = heldSources(siblings.values(), of.id);
  const heldByMaster = heldBy(siblings.values(), 'links', of.id);
  const made: StoredLink[] = [];
  const dropped: string[] = [];
  let isOfMaster = false;
  for (const [record, { position, cells, isOwn }] of Object.entries(former)) {
    const link = toMaster.get(record);
    const isMaster = record === masterId;
    // The master's link came from another duplicate, which has left since.
    if (isMaster && !isOwn && !heldByMaster.has(id)) continue;
    if (!present.has(record) || again.has(record) || (!isMaster && !link)) continue;
    if (edits.link(record, of.id, isMaster ? id : masterId)) {
      const reason = 'the link led to the duplicate, and was edited since';
      if (!hidden.has(record)) ambiguous.add({ object_name: source.name, record_id: record, field: of.name, reason });
      continue;
    }
    const junction = junctionColumns(of).map((column): Cell => cells[column.field.id] ?? null);
    made.push({ source: record, target: id, position, junction });
    if (isMaster) {
      isOfMaster = true;
      continue;
    }
    const drops = !isOwn && !held.has(record);
    if (drops) dropped.push(record);
    touched.links(source, record, of.id, relinked(field, [id], drops && link ? [link] : []));
    if (!hidden.has(record)) count(of.id);
  }
  await tx.run(sql`delete from ${call.workspace.table(field.linkTable)}
    where target_id = ${masterId}::uuid and source_id = any(${dropped}::uuid[])`);
  await insertLinks(call, tx, of, made);
  return isOfMaster;
}

/** Removes the master's links that came from the duplicate alone; those edited since stay. */
async function takeFromMaster(
  call: Call,
  tx: WorkspaceTransaction,
  giving: GivingBack,
  field: LinkField,
): Promise<readonly FoundLink[]> {
  const { object, masterId, moved, siblings, ambiguous } = giving;
  const { field: of } = field;
  const held = heldBy(siblings.values(), 'links', of.id);
  const targets = (moved.links[of.id] ?? []).filter((target) => !held.has(target));
  if (targets.length === 0) return [];
  const found = await rowsOf(
    call,
    tx,
    field,
    sql`l.source_id = ${masterId}::uuid and l.target_id = any(${targets}::uuid[])`,
  );
  const edits = await laterEdits(call, tx, object.id, [masterId], giving);
  const isEdited = ({ target }: FoundLink) => edits.link(masterId, of.id, target);
  const hidden = await unreported(call, tx, relatedObject(call.model, of), targets);
  for (const { target } of found.filter((row) => isEdited(row) && !hidden.has(row.target)))
    ambiguous.add({
      object_name: object.name,
      record_id: masterId,
      field: of.name,
      reason: `the link to ${target} came from the duplicate, and was edited since`,
    });
  const gone = found.filter((row) => !isEdited(row));
  await tx.run(sql`delete from ${call.workspace.table(field.linkTable)}
    where source_id = ${masterId}::uuid and target_id = any(${gone.map(({ target }) => target)}::uuid[])`);
  return gone;
}

interface FoundLink {
  readonly source: string;
  readonly target: string;
  readonly position: number;
  readonly junction: readonly Cell[];
}

async function rowsOf(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { field, linkTable }: LinkField,
  where: Sql,
): Promise<readonly FoundLink[]> {
  const cells = junctionColumns(field).map(({ name }) => sql`l.${identifier(name)}::text`);
  const columns = [sql`l.source_id`, sql`l.target_id`, sql`l.position`, ...cells];
  const { rows } = await tx.run(sql`select ${join(columns, ', ')} from ${workspace.table(linkTable)} l
    where ${where} order by l.source_id, l.target_id for update`);
  return rows.map(([source, target, position, ...junction]) => ({
    source: source ?? '',
    target: target ?? '',
    position: Number(position),
    junction,
  }));
}
