/** Creates, changes and deletes lists; records are unaffected. [spec: crm_manage_lists] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, type FieldError } from '../../errors.ts';
import { takesOptions } from '../../fields/abilities.ts';
import { newId } from '../../lib/id.ts';
import type { Json } from '../../lib/json.ts';
import { caps, takePlace } from '../../model/caps.ts';
import type { StoredField } from '../../model/definition.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, identifier, instant, join, sql, type Sql } from '../../postgres/sql.ts';
import { deleteEntries } from './entries.ts';
import { leaveList } from './list-history.ts';
import { lockedList, namesOf, type ListText, type StoredList } from './stored-list.ts';

/** Entries deleted per statement, and reported in one history row. */
const deletedAtOnce = 2_000;

/** The row of a deleted list besides its settings. */
export interface EarlierList {
  readonly id: string;
  readonly createdBy: string | null;
  readonly createdAt: string | null;
}

/**
 * Creates a list, or recreates a deleted one. The rest of the transaction may use it. Throws VALIDATION_ERROR at the
 * cap.
 */
export async function createList(
  call: Call,
  tx: WorkspaceTransaction,
  list: Omit<StoredList, 'id'>,
  earlier: EarlierList = { id: newId(), createdBy: call.caller.workspaceUserId, createdAt: null },
): Promise<StoredList> {
  const table = call.workspace.table('_lists');
  const place = { what: 'lists in an organization', most: caps.lists, existing: sql`select from ${table}` };
  await takePlace((query) => tx.run(query), call.model.schema, place);
  const made = { ...list, id: earlier.id };
  const at = instant(call.now);
  await tx.run(sql`insert into ${table}
      (id, name, description, icon_name, color, object_types, fields, created_by, created_at, updated_at)
    values (${made.id}::uuid, ${made.name}, ${made.description}, ${made.icon_name}, ${made.color}, ${namesOf(made.objects)},
      ${JSON.stringify(made.fields)}::jsonb, ${earlier.createdBy}::uuid, coalesce(${earlier.createdAt}::timestamptz, ${at}), ${at})`);
  await leaveList(call, tx, made.id, { action: 'create' });
  return made;
}

/** The changed settings; absent ones stay. */
export interface ListChanges extends Partial<ListText> {
  readonly objects?: readonly ObjectDef[] | undefined;
  /** Makes the new fields from the stored ones. */
  readonly fields?: ((stored: readonly StoredField[]) => readonly StoredField[]) | undefined;
}

/**
 * Changes the list. Throws RECORD_NOT_FOUND, and DESTRUCTIVE_CHANGE where entries would lose values or no longer fit.
 */
export async function changeList(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  { objects, fields, ...texts }: ListChanges,
): Promise<void> {
  const was = await lockedList(call, tx, id, 'change');
  const settings: Sql[] = [];
  const before: Record<string, Json> = {};
  const set = (column: string, value: Sql, earlier: Json) => {
    settings.push(sql`${identifier(column)} = ${value}`);
    before[column] = earlier;
  };
  for (const key of ['name', 'description', 'icon_name', 'color'] as const) {
    const value = texts[key];
    if (value !== undefined && value !== was[key]) set(key, sql`${value}`, was[key]);
  }
  const obstacles: Obstacle[] = [];
  if (objects && idsOf(objects).join() !== idsOf(was.objects).join()) {
    obstacles.push(...leftObjects(was.objects, objects));
    set('object_types', namesOf(objects), idsOf(was.objects));
  }
  const next = fields?.(was.fields);
  const nextText = sql`${JSON.stringify(next ?? [])}::jsonb`;
  if (next && (await differs(call, tx, was.id, nextText))) {
    obstacles.push(...lostValues(was.fields, next));
    set('fields', nextText, was.fields as unknown as Json);
  }
  await refuseLosses(call, tx, was.id, obstacles);
  if (settings.length === 0) return;
  settings.push(sql`updated_at = ${instant(call.now)}`);
  await tx.run(sql`update ${call.workspace.table('_lists')} set ${join(settings, ', ')} where id = ${was.id}::uuid`);
  await leaveList(call, tx, was.id, { action: 'update', before });
}

/** Compared key by key, since PostgreSQL keeps JSON keys in its own order. */
async function differs(call: Call, tx: WorkspaceTransaction, id: string, fields: Sql): Promise<boolean> {
  const { rows } = await tx.run(
    sql`select l.fields is distinct from ${fields} from ${call.workspace.table('_lists')} l where l.id = ${id}::uuid`,
  );
  return rows[0]?.[0] === 't';
}

function idsOf(objects: readonly ObjectDef[]): string[] {
  return objects.map(({ id }) => id);
}

/** Entries that no longer fit after a change, and the error for them. */
interface Obstacle {
  /** Over a row `e`. */
  readonly condition: Sql;
  readonly problem: FieldError;
}

function leftObjects(was: readonly ObjectDef[], objects: readonly ObjectDef[]): Obstacle[] {
  const left = was.filter((object) => !objects.includes(object));
  return left.map(({ id, name }) => ({
    condition: sql`e.object_id = ${id}::uuid`,
    problem: { field: 'object_types', message: `${name} cannot be taken away: records of it are on the list` },
  }));
}

/** Removed fields, changed types, and removed options. */
function lostValues(was: readonly StoredField[], fields: readonly StoredField[]): Obstacle[] {
  return was.flatMap((field): Obstacle[] => {
    const { id, name, definition } = field;
    const next = fields.find((candidate) => candidate.id === id);
    const valued = sql`e.entry_fields ? ${id}::text`;
    const problem = (what: string) => ({ field: name, message: `${name} ${what}: entries have values in it` });
    if (!next) return [{ condition: valued, problem: problem('cannot be taken away') }];
    if (next.definition.type !== definition.type)
      return [{ condition: valued, problem: problem('cannot become another type') }];
    if (!takesOptions(definition)) return [];
    const kept = new Set((next.definition.options ?? []).map(({ value }) => value));
    const gone = (definition.options ?? []).map(({ value }) => value).filter((value) => !kept.has(value));
    if (gone.length === 0) return [];
    const used = sql`(e.entry_fields -> ${id}::text) ?| ${gone}::text[]`;
    return [{ condition: used, problem: problem('cannot lose options that are in use') }];
  });
}

async function refuseLosses(
  call: Call,
  tx: WorkspaceTransaction,
  listId: string,
  obstacles: readonly Obstacle[],
): Promise<void> {
  if (obstacles.length === 0) return;
  const there = obstacles.map(
    ({ condition }) => sql`exists (select from ${call.workspace.table('_list_entries')} e
      where ${and([sql`e.list_id = ${listId}::uuid`, condition])})`,
  );
  const [found = []] = (await tx.run(sql`select ${join(there, ', ')}`)).rows;
  const problems = obstacles.filter((_, at) => found[at] === 't').map(({ problem }) => problem);
  if (problems.length > 0) throw errors.destructiveChange(problems.map(({ message }) => message).join('; '), problems);
}

/** Deletes the list with its entries. Throws RECORD_NOT_FOUND. */
export async function deleteList(call: Call, tx: WorkspaceTransaction, id: string): Promise<void> {
  const was = await lockedList(call, tx, id, 'change');
  const entries = call.workspace.table('_list_entries');
  for (let count = deletedAtOnce; count === deletedAtOnce;) {
    const { rows } = await tx.run(sql`select e.id from ${entries} e where e.list_id = ${was.id}::uuid
      order by e.id limit ${deletedAtOnce}::int for update`);
    const removed = await deleteEntries(
      call,
      tx,
      rows.map(([entryId]) => entryId ?? ''),
    );
    count = rows.length;
    if (removed.length > 0) await leaveList(call, tx, was.id, { action: 'update', removed });
  }
  const lists = call.workspace.table('_lists');
  // Citus cannot return times as text from a delete.
  const made = sql`select l.created_by, to_jsonb(l.created_at) #>> '{}' from ${lists} l where l.id = ${was.id}::uuid`;
  const [created_by = null, created_at = null] = (await tx.run(made)).rows[0] ?? [];
  await tx.run(sql`delete from ${lists} where id = ${was.id}::uuid`);
  const { id: _id, objects, fields, ...texts } = was;
  const before = { ...texts, object_types: idsOf(objects), fields: fields as unknown as Json, created_by, created_at };
  await leaveList(call, tx, was.id, { action: 'delete', before });
}
