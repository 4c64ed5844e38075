/** Lists and their entries as lines of files. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError, Mistakes } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { buildField } from '../../model/build.ts';
import type { FieldDefinition, StoredField } from '../../model/definition.ts';
import { hasRecords, objectWithId, type ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import type { RowFailure } from '../import/row-failure.ts';
import { failureOf } from '../import/rows.ts';
import { changeList, createList } from '../lists/change-list.ts';
import { listDecodeContext } from '../lists/entry-values.ts';
import { putEntries, type EntryImage } from '../lists/put-entries.ts';
import { listIfThere, storedFields, type StoredList } from '../lists/stored-list.ts';
import { seenObjects, visibleEntry } from '../lists/visible-entries.ts';
import { readStored, type Decoded } from '../writing/decode.ts';
import { lockVisible } from '../writing/references.ts';
import { isPerson, type People } from './names.ts';
import type { TakenIn } from './take-in.ts';

/** Selects all lists in id order. */
export function listsQuery(call: Call): Sql {
  return sql`select l.id, l.name, l.description, l.icon_name, l.color, to_jsonb(l.object_types), l.fields, l.created_by,
      to_jsonb(l.created_at) #>> '{}'
    from ${call.workspace.table('_lists')} l order by l.id`;
}

/** A row of `listsQuery` as a line. */
export function listLine(row: Row, people: People): JsonObject {
  const [id = null, name = null, description = null, icon_name = null, color = null, types, fields, by, at] = row;
  return {
    id,
    name,
    description,
    icon_name,
    color,
    object_types: parseJson(types ?? '[]'),
    fields: storedFields(fields ?? '[]').map(fieldLine),
    created_by: people.addresses.get(by ?? '') ?? null,
    created_at: timeOf(at),
  };
}

function fieldLine({ id, name, definition }: StoredField): JsonObject {
  return { id, name, ...(definition as unknown as JsonObject) };
}

function timeOf(text: string | null | undefined): string | null {
  return text ? new Date(text).toISOString() : null;
}

/** Selects the visible entries, list by list. */
export function entriesQuery(call: Call): Sql {
  return sql`select e.list_id, e.id, e.object_id, e.record_id, e.entry_fields, l.fields, e.created_by,
      to_jsonb(e.created_at) #>> '{}'
    from ${call.workspace.table('_list_entries')} e join ${call.workspace.table('_lists')} l on l.id = e.list_id
    where ${visibleEntry(call, seenObjects(call))} order by e.list_id, e.id`;
}

/** A row of `entriesQuery` as a line: values by field name. */
export function entryLine(call: Call, row: Row, people: People): JsonObject {
  const [listId = null, id = null, objectId, recordId = null, values, fields, by, at] = row;
  const given = parseJson(values ?? '{}');
  const named = storedFields(fields ?? '[]').flatMap((stored): [string, Json][] => {
    const value = isObject(given) ? given[stored.id] : undefined;
    if (value === undefined) return [];
    const isName = isPerson(buildField(stored)) && typeof value === 'string';
    return [[stored.name, isName ? (people.addresses.get(value) ?? null) : value]];
  });
  return {
    list_id: listId,
    id,
    object: objectWithId(call.model, objectId ?? '')?.name ?? null,
    record_id: recordId,
    values: Object.fromEntries(named),
    created_by: people.addresses.get(by ?? '') ?? null,
    created_at: timeOf(at),
  };
}

/** Creates missing lists under their own ids, and changes the others to match their lines. */
export async function takeInLists(
  call: Call,
  tx: WorkspaceTransaction,
  lines: readonly Json[],
  people: People,
): Promise<TakenIn> {
  const outcome = nothingYet();
  for (const [index, line] of lines.entries()) {
    try {
      outcome[await tx.attempt(() => takeInList(call, tx, line, people, outcome.strangers))]++;
    } catch (error) {
      if (!(error instanceof KithError)) throw error;
      outcome.failures.push(failureOf(index, error));
    }
  }
  return { ...outcome, strangers: [...outcome.strangers] };
}

type Counted = 'created' | 'updated' | 'unchanged';

function nothingYet() {
  const strangers = new Set<string>();
  return { created: 0, updated: 0, unchanged: 0, failures: [] as RowFailure[], strangers, lost: 0 };
}

async function takeInList(
  call: Call,
  tx: WorkspaceTransaction,
  line: Json,
  people: People,
  strangers: Set<string>,
): Promise<Counted> {
  const id = isObject(line) ? line['id'] : undefined;
  if (!isObject(line) || !isUuid(id) || typeof line['name'] !== 'string')
    throw errors.validation('The line is no list with an id and a name');
  const text = (key: string) => (typeof line[key] === 'string' ? line[key] : null);
  const list = {
    name: line['name'],
    description: text('description'),
    icon_name: text('icon_name'),
    color: text('color'),
    objects: objectsOf(call, line['object_types']),
    fields: fieldsOf(line['fields']),
  };
  const { rows } =
    await tx.run(sql`select l.id, l.name, l.description, l.icon_name, l.color, to_jsonb(l.object_types), l.fields
    from ${call.workspace.table('_lists')} l where l.id = ${id}::uuid`);
  const [stored] = rows;
  if (!stored) {
    const createdBy = idOf(text('created_by'), call, people, strangers);
    await createList(call, tx, list, { id, createdBy, createdAt: text('created_at') });
    return 'created';
  }
  const { created_by: _by, created_at: _at, ...was } = listLine(stored, people);
  const { created_by: _creator, created_at: _time, ...is } = line;
  if (JSON.stringify(was) === JSON.stringify(is)) return 'unchanged';
  await changeList(call, tx, id, { ...list, fields: () => list.fields });
  return 'updated';
}

function objectsOf({ model }: Call, names: Json | undefined): readonly ObjectDef[] {
  return (Array.isArray(names) ? names : []).map((name) => {
    const object = typeof name === 'string' ? model.objects.get(name) : undefined;
    if (object && hasRecords(object)) return object;
    throw errors.validation(`${JSON.stringify(name)} is no object whose records can be on a list`);
  });
}

/** A list's fields are parsed with every model, so invalid ones are detected here. */
function fieldsOf(lines: Json | undefined): readonly StoredField[] {
  return (Array.isArray(lines) ? lines : []).map((line) => {
    const { id, name, ...definition } = isObject(line) ? line : {};
    if (!isUuid(id) || typeof name !== 'string' || typeof definition['type'] !== 'string')
      throw errors.validation('A field of a list needs an id, a name and a type');
    return { id, name, definition: definition as unknown as FieldDefinition };
  });
}

/** The user with the address; the caller where there is none here. */
function idOf(address: string | null, call: Call, people: People, strangers: Set<string>): string | null {
  if (address === null) return null;
  const id = people.ids.get(address.toLowerCase());
  if (id === undefined) strangers.add(address);
  return id ?? call.me;
}

/** Adds records to lists, and changes existing entries to match the lines. */
export async function takeInEntries(
  call: Call,
  tx: WorkspaceTransaction,
  lines: readonly Json[],
  people: People,
): Promise<TakenIn> {
  const outcome = nothingYet();
  const numbered = lines.map((line, index) => ({ index, line: isObject(line) ? line : {} }));
  for (const [id, ofList] of Map.groupBy(numbered, ({ line }) => String(line['list_id']))) {
    const list = await listIfThere(call, tx, id, 'change');
    for (const [name, some] of Map.groupBy(ofList, ({ line }) => String(line['object']))) {
      const object = list?.objects.find((candidate) => candidate.name === name);
      if (!list || !object) {
        const error = errors.validation(list ? `The list does not take ${name}` : `There is no list ${id}`);
        for (const { index } of some) outcome.failures.push(failureOf(index, error));
        continue;
      }
      const images = await imagesOf(call, list, object, some, people, outcome);
      const ids = images.map(({ recordId }) => recordId);
      const there = new Set((await tx.run(lockVisible(call, object.name, ids))).rows.map(([recordId]) => recordId));
      const entries = images.filter(({ recordId }) => there.has(recordId));
      outcome.lost += images.length - entries.length;
      const { added, altered } = await putEntries(call, tx, list, entries);
      outcome.created += added;
      outcome.updated += altered;
      outcome.unchanged += entries.length - added - altered;
    }
  }
  return { ...outcome, strangers: [...outcome.strangers] };
}

/** The lines as rows of entries; invalid ones are added to the failures. */
async function imagesOf(
  call: Call,
  list: StoredList,
  object: ObjectDef,
  lines: readonly { readonly index: number; readonly line: JsonObject }[],
  people: People,
  outcome: ReturnType<typeof nothingYet>,
): Promise<EntryImage[]> {
  const images: EntryImage[] = [];
  for (const { index, line } of lines) {
    const { id, record_id: recordId, created_by: by, created_at: at, values } = line;
    const mistakes = new Mistakes();
    const given = await valuesOf(call, list, isObject(values) ? values : {}, people, mistakes);
    const error =
      isUuid(id) && isUuid(recordId) ? mistakes.error() : errors.validation('The line is no entry of a list');
    if (error || typeof recordId !== 'string') {
      if (error) outcome.failures.push(failureOf(index, error));
      continue;
    }
    const createdBy = idOf(typeof by === 'string' ? by : null, call, people, outcome.strangers);
    const image = {
      id: id ?? null,
      object_id: object.id,
      entry_fields: given,
      created_by: createdBy,
      created_at: at ?? null,
    };
    images.push({ recordId: recordId.toLowerCase(), image });
  }
  return images;
}

/** Values by field id, each validated by its type. */
async function valuesOf(
  call: Call,
  list: StoredList,
  values: JsonObject,
  { ids }: People,
  mistakes: Mistakes,
): Promise<JsonObject> {
  const decoded: Decoded = { cells: new Map(), links: new Map(), byStep: new Set() };
  const given: JsonObject = {};
  for (const [name, value] of Object.entries(values)) {
    const stored = list.fields.find((field) => field.name === name);
    if (!stored) {
      mistakes.add({ field: name, message: `${name} is not a field of the list` });
      continue;
    }
    const field = buildField(stored);
    const isName = isPerson(field) && typeof value === 'string';
    const own = isName ? (ids.get(value.toLowerCase()) ?? null) : value;
    await readStored(field, own, listDecodeContext(call), decoded, mistakes);
    if (own !== null) given[stored.id] = own;
  }
  return given;
}
