/**
 * Removes records in the trash for good, with their links from both sides and their list entries. Their history keeps
 * who did what and when, but no values. [decisions: Writing]
 */
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import { raiseVersions } from '../../model/state.ts';
import { systemTables } from '../../model/system-tables.ts';
import { empty, identifier, join, or, sql } from '../../postgres/sql.ts';
import { junctionColumns } from './columns.ts';
import { leaveEntries, leftRows, type Author } from './leave.ts';

/** Records per transaction. */
export const purgedAtOnce = 500;

type Run = Pick<WorkspaceTransaction, 'run'>;

/** Removes those records of `ids` that are in the trash, and returns their number. */
export async function purgeRecords(
  author: Author,
  tx: Run,
  object: ObjectDef,
  ids: readonly string[],
): Promise<number> {
  const table = identifier(author.model.schema, object.table);
  const found = await tx.run(sql`select id from ${table}
    where id = any(${ids}::uuid[]) and deleted_at is not null order by id for update`);
  const gone = found.rows.map(([id]) => id ?? '');
  if (gone.length > 0) await remove(author, tx, object, gone);
  return gone.length;
}

/**
 * Removes the next `purgedAtOnce` records of `object` trashed before `before`, and returns their number. Rows locked
 * by others are skipped until the next run.
 */
export async function purgeOldest(author: Author, tx: Run, object: ObjectDef, before: Date): Promise<number> {
  const table = identifier(author.model.schema, object.table);
  const found = await tx.run(sql`select id from ${table} where deleted_at < ${before.toISOString()}::timestamptz
    order by deleted_at, id limit ${purgedAtOnce}::int for update skip locked`);
  const ids = found.rows.map(([id]) => id ?? '').toSorted();
  if (ids.length > 0) await remove(author, tx, object, ids);
  return ids.length;
}

/** Removes locked records. */
async function remove(author: Author, tx: Run, object: ObjectDef, ids: readonly string[]): Promise<void> {
  const { model } = author;
  const system = (name: string) => identifier(model.schema, name);
  const changed = new Set([object]);
  for (const { source, field } of linkFields(model)) {
    if (source === object)
      await tx.run(sql`delete from ${system(field.linkTable)} where source_id = any(${ids}::uuid[])`);
    if (field.relationConfig?.targetObjectName !== object.name) continue;
    if (await removeLinksTo(author, tx, source, field, ids)) changed.add(source);
  }
  // In the same order as deleting or emptying a list, which holds no record locks.
  await tx.run(
    sql`select id from ${system('_list_entries')} where record_id = any(${ids}::uuid[]) order by id for update`,
  );
  for (const { name, atPurge, emptied = [] } of systemTables) {
    if (atPurge === 'deleted') await tx.run(sql`delete from ${system(name)} where record_id = any(${ids}::uuid[])`);
    if (atPurge !== 'emptied') continue;
    const columns = emptied.map((column) => identifier(column));
    const settings = columns.map((column) => sql`${column} = null`);
    await tx.run(sql`update ${system(name)} set ${join(settings, ', ')}
      where record_id = any(${ids}::uuid[]) and ${or(columns.map((column) => sql`${column} is not null`))}`);
  }
  // An old id leads nowhere once its master is gone.
  await tx.run(sql`delete from ${system('_merges')} where master_id = any(${ids}::uuid[])`);
  await tx.run(sql`delete from ${system(object.table)} where id = any(${ids}::uuid[])`);
  const left = leftRows(ids.map((id) => ({ id, before: null, links: null })));
  await tx.run(leaveEntries(author, { objectId: object.id, action: 'purge' }, left));
  await tx.run(raiseVersions(model.schema, changed));
}

interface LinkField {
  readonly source: ObjectDef;
  readonly field: FieldDef & { readonly linkTable: string };
}

function linkFields({ objects }: Model): LinkField[] {
  return [...objects.values()].flatMap((source) =>
    [...source.attributes.values()].flatMap((field) =>
      field.linkTable === undefined ? [] : [{ source, field: { ...field, linkTable: field.linkTable } }],
    ),
  );
}

/** Removes links to the records, with a history entry for each source record. Returns whether there were any. */
async function removeLinksTo(
  author: Author,
  tx: Run,
  source: ObjectDef,
  field: LinkField['field'],
  ids: readonly string[],
): Promise<boolean> {
  const links = identifier(author.model.schema, field.linkTable);
  const cells = junctionColumns(field).map(({ field: { id }, name }) => sql`${id}::text, l.${identifier(name)}::text`);
  const carried =
    cells.length === 0 ? empty : sql`'was', jsonb_object_agg(l.target_id, jsonb_build_object(${join(cells, ', ')})),`;
  // Nobody links to a trashed record, but a record may drop such a link.
  const { rows } = await tx.run(sql`with l as materialized (select * from ${links} where target_id = any(${ids}::uuid[])
      order by source_id, target_id for update)
    select l.source_id, jsonb_build_object(${field.id}::text, jsonb_build_object(
      'added', '[]'::jsonb, ${carried} 'removed', jsonb_agg(l.target_id order by l.target_id),
      'stood', jsonb_object_agg(l.target_id, l.position)))
    from l group by l.source_id`);
  if (rows.length === 0) return false;
  await tx.run(sql`delete from ${links} where target_id = any(${ids}::uuid[])`);
  const left = leftRows(rows.map(([id, change = null]) => ({ id: id ?? '', before: '{}', links: change })));
  await tx.run(leaveEntries(author, { objectId: source.id, action: 'unlink' }, left));
  return true;
}
