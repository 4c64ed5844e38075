/** Lists as the caller sees them, without objects that its role may not know. [spec: Other resources] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { datetimeMember, member, numberMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { normalise } from '../../fields/search-text.ts';
import type { StoredField } from '../../model/definition.ts';
import { join, sql, statement, type Sql } from '../../postgres/sql.ts';
import { ascendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { listableObjects, listId, namesOf, storedFields, visibleList } from './stored-list.ts';
import { seenObjects, visibleEntries } from './visible-entries.ts';

export interface ListsRequest extends PageRequest {
  /** Only lists that take records of this object. */
  readonly objectType?: string | undefined;
  /** Part of the name. */
  readonly search?: string | undefined;
}

const byName = ascendingBy(sql`left(lower(l.name), 256)`, 'text');

/** A page of lists. Throws VALIDATION_ERROR for a cursor of another list. */
export async function listsPage(call: Call, { objectType, search, ...request }: ListsRequest): Promise<Page> {
  const { workspace } = call;
  const words = wordsOf(search ?? '');
  // A hidden object matches no list.
  const matching = listableObjects(call).filter(({ name }) => name === objectType);
  const plan = planPage(
    call,
    {
      rows: { row: sql`l`, table: workspace.table('_lists'), from: sql`${workspace.table('_lists')} l` },
      visible: visibleList(call, sql`l`),
      filters: [
        ...(objectType === undefined ? [] : [sql`l.object_types && ${namesOf(matching)}`]),
        ...(words.length === 0 ? [] : [sql`l.id = any(${await listsCalled(call, words)}::uuid[])`]),
      ],
      order: byName,
      identity: ['lists', objectType ?? '', words],
      selection: listSelection(call),
      beside: creator(call),
    },
    request,
  );
  const [found] = await workspace.read(plan.statement);
  return plan.read(found?.rows ?? []);
}

function wordsOf(text: string): string[] {
  return normalise(text)
    .split(' ')
    .filter((word) => word !== '');
}

/**
 * Ids of the lists whose names contain all words. Matched here: lists are few, and PostgreSQL's case folding covers
 * ASCII only.
 */
async function listsCalled(call: Call, words: readonly string[]): Promise<readonly string[]> {
  const query = sql`select l.id, l.name from ${call.workspace.table('_lists')} l where ${visibleList(call, sql`l`)}`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const fits = (name: string) => words.every((word) => name.includes(word));
  return (found?.rows ?? []).flatMap(([id = null, name]) => (id !== null && fits(normalise(name ?? '')) ? [id] : []));
}

/** The list as JSON text, read in `tx` where it was written there. Throws RECORD_NOT_FOUND. */
export async function readList(call: Call, id: string, tx?: WorkspaceTransaction): Promise<string> {
  const selection = listSelection(call);
  const query = sql`select ${join(selection.columns, ', ')} from ${call.workspace.table('_lists')} l${creator(call)}
    where l.id = ${listId(id)}::uuid and ${visibleList(call, sql`l`)}`;
  const found = tx ? await tx.run(query) : (await call.workspace.read(statement(query, call.model.version)))[0];
  const [row] = found?.rows ?? [];
  if (!row) throw errors.listNotFound(id);
  return selection.json(row, 0);
}

function creator({ workspace }: Call): Sql {
  return sql` left join ${workspace.table('_users')} u on u.id = l.created_by`;
}

const asIs = (text: string) => text;

function listSelection(call: Call) {
  const known = sql`array(select t.name from unnest(l.object_types) with ordinality t (name, place)
    where t.name = any(${namesOf(listableObjects(call))}) order by t.place)`;
  return selectionOf([
    reading(sql`l.id`, quotedMember('id')),
    reading(sql`l.name`, textMember('name')),
    reading(sql`l.description`, textMember('description')),
    reading(sql`l.icon_name`, textMember('icon_name')),
    reading(sql`l.color`, textMember('color')),
    reading(sql`to_json(${known})`, member('object_types', asIs)),
    reading(sql`l.fields`, { ...member('fields', fieldsShown), mostBytes: Infinity }),
    reading(visibleEntries(call, seenObjects(call)), numberMember('entry_count')),
    reading(sql`u.id`, quotedMember('created_by')),
    reading(sql`u.name`, textMember('created_by_display')),
    reading(sql`l.created_at`, datetimeMember('created_at')),
    reading(sql`l.updated_at`, datetimeMember('updated_at')),
  ]);
}

function fieldsShown(text: string): string {
  return JSON.stringify(storedFields(text).map(fieldShown));
}

function fieldShown({ id, name, definition }: StoredField) {
  const { label, type, isRequired = false, options = null, defaultValue = null } = definition;
  return { id, name, label, type, isRequired, options, defaultValue };
}
