/** Visible entries of a list with their records' labels, latest first. [spec: crm_manage_lists] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading } from '../../fields/members.ts';
import { jsonString, parseJson } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { join, literal, sql, statement, type Sql } from '../../postgres/sql.ts';
import { entryColumns, entryFields } from '../../query/entry-fields.ts';
import { descendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { readScope } from '../../query/read-scope.ts';
import { selectionOf } from '../../query/selection.ts';
import { listId, visibleList } from './stored-list.ts';
import { seenObjects, visibleEntry } from './visible-entries.ts';

const latestFirst = descendingBy(sql`e.created_at`, 'timestamptz');

/** Throws RECORD_NOT_FOUND for the list, VALIDATION_ERROR for a cursor of another list. */
export async function entriesPage(call: Call, id: string, request: PageRequest): Promise<Page> {
  const { workspace } = call;
  const objects = await objectsOf(call, id);
  const table = workspace.table('_list_entries');
  const plan = planPage(
    call,
    {
      rows: { row: sql`e`, table, from: sql`${table} e` },
      visible: visibleEntry(call, objects),
      filters: [sql`e.list_id = ${listId(id)}::uuid`],
      order: latestFirst,
      identity: ['entries', listId(id)],
      selection: entrySelection(call, objects),
      beside: listBeside(call),
    },
    request,
  );
  const [found] = await workspace.read(plan.statement);
  return plan.read(found?.rows ?? []);
}

/** An entry as JSON text, read in the transaction that wrote it. Throws RECORD_NOT_FOUND. */
export async function readEntry(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  entryId: string,
): Promise<string> {
  const selection = entrySelection(call, [object]);
  const { rows } = await tx.run(sql`select ${join(selection.columns, ', ')}
    from ${call.workspace.table('_list_entries')} e${listBeside(call)}
    where e.id = ${entryId}::uuid and ${visibleEntry(call, [object])}`);
  const [row] = rows;
  if (!row) throw errors.entryNotFound(entryId);
  return selection.json(row, 0);
}

/** The list's objects, as far as the caller may see their records. */
async function objectsOf(call: Call, id: string): Promise<readonly ObjectDef[]> {
  const query = sql`select to_jsonb(l.object_types) from ${call.workspace.table('_lists')} l
    where l.id = ${listId(id)}::uuid and ${visibleList(call, sql`l`)}`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const [row] = found?.rows ?? [];
  if (!row) throw errors.listNotFound(id);
  const types = parseJson(row[0] ?? '[]');
  return seenObjects(call).filter(({ name }) => Array.isArray(types) && types.includes(name));
}

function listBeside({ workspace }: Call): Sql {
  return sql` left join ${workspace.table('_lists')} l on l.id = e.list_id`;
}

function entrySelection(call: Call, objects: readonly ObjectDef[]) {
  const names = objects.map(({ id, name }) => sql`when ${literal(id)}::uuid then ${literal(name)}`);
  const displays = objects.map((object) => {
    const display = readScope(call, object, 'r').display(object.name, sql`e.record_id`);
    return sql`when ${literal(object.id)}::uuid then ${display}`;
  });
  return selectionOf([
    reading(sql`e.id`, quotedMember('entry_id')),
    reading(sql`e.record_id`, quotedMember('record_id')),
    reading(caseOf(names), quotedMember('object_type')),
    recordReading(caseOf(displays)),
    fieldsReading(),
    reading(sql`e.created_at`, datetimeMember('created_at')),
  ]);
}

function fieldsReading(): Reading {
  const columns = entryColumns(sql`l`, sql`e`);
  const json = (row: Row, at: number) => entryFields(columns.map((_, place) => parseJson(row[at + place] ?? 'null')));
  return { columns, members: [{ key: 'entry_fields', json, cell: json }] };
}

function caseOf(whens: readonly Sql[]): Sql {
  return whens.length === 0 ? sql`null::text` : sql`(case e.object_id ${join(whens, ' ')} end)`;
}

/** Records have no image yet, so it is null. */
function recordReading(display: Sql): Reading {
  return reading(display, {
    key: 'record',
    mostBytes: Infinity,
    json(row, at) {
      const text = row[at] ?? null;
      return `{"display":${text === null ? 'null' : jsonString(text)},"image":null}`;
    },
    cell: (row, at) => row[at] ?? '',
  });
}
