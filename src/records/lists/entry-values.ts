/** Values of a list entry: decoded like those of records, and stored as JSON in the form in which they are shown. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes, quoted, shortened } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Asker, DecodeContext } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { JsonObject } from '../../lib/json.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { buildField } from '../../model/build.ts';
import type { StoredField } from '../../model/definition.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { join, sql } from '../../postgres/sql.ts';
import { readScope } from '../../query/read-scope.ts';
import { bound } from '../writing/columns.ts';
import { decodeField, type Decoded } from '../writing/decode.ts';
import { missingReference, targetOf } from '../writing/references.ts';

/** Characters of JSON per entry: a record shows the values of all lists that it is on. */
const mostCharacters = 10_000;

/** The values that a write sets in an entry. */
export interface EntryValues {
  /** JSON text: values by field id. */
  readonly set: string;
  /** Ids of fields whose values are cleared. */
  readonly cleared: readonly string[];
}

/** The context for decoding values of list fields. */
export function listDecodeContext({ model, signal }: Pick<Call, 'model' | 'signal'>): DecodeContext & Asker {
  const { currency, timeZone, organizationId } = model;
  return { currency, timeZone, pipelines: [], organizationId, signal };
}

/**
 * Decodes the values of an entry for a record of `object`. A new one gets defaults, and must have required values.
 * Throws VALIDATION_ERROR with all problems.
 */
export async function readEntryFields(
  call: Call,
  tx: WorkspaceTransaction,
  stored: readonly StoredField[],
  given: JsonObject,
  { object, isNew }: { readonly object: ObjectDef; readonly isNew: boolean },
): Promise<EntryValues> {
  const fields = new Map(stored.map((field) => [field.name, buildField(field)]));
  const mistakes = new Mistakes();
  const decoded: Decoded = { cells: new Map(), links: new Map(), byStep: new Set() };
  const context = listDecodeContext(call);
  for (const [name, value] of Object.entries(given)) {
    const field = fields.get(name);
    if (field) await decodeField(field, value, context, decoded, mistakes);
    else addUnknownField(name, [...fields.keys()], mistakes);
  }
  if (isNew) {
    for (const field of fields.values()) {
      if (decoded.cells.has(field) || mistakes.concerns(field.name)) continue;
      if (field.defaultValue !== null) await decodeField(field, field.defaultValue, context, decoded, mistakes);
      else if (field.isRequired) mistakes.add({ field: field.name, message: `${field.name} is required` });
    }
  }
  await checkUsers(call, tx, decoded, mistakes);
  mistakes.refuse();
  return jsonOf(call, tx, object, decoded.cells);
}

function addUnknownField(name: string, known: readonly string[], mistakes: Mistakes): void {
  const message = () => `${quoted(name)} is not a field of the list${didYouMean(name, known)}`;
  mistakes.addUnknown(() => ({ field: shortened(name), message: message() }), known);
}

async function checkUsers(call: Call, tx: WorkspaceTransaction, { cells }: Decoded, mistakes: Mistakes): Promise<void> {
  const named = [...cells].flatMap(([field, [id]]) => (id && targetOf(field, [id]) === 'user' ? [{ field, id }] : []));
  if (named.length === 0) return;
  const ids = named.map(({ id }) => id);
  const { rows } = await tx.run(
    sql`select u.id from ${call.workspace.table('_users')} u where u.id = any(${ids}::uuid[])`,
  );
  const known = new Set(rows.map(([id]) => id));
  for (const { field, id } of named) if (!known.has(id)) mistakes.add(missingReference(field, 'user'));
}

/** PostgreSQL converts the cells as it would a record's, and the field types produce their JSON. */
async function jsonOf(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  cells: ReadonlyMap<FieldDef, readonly Cell[]>,
): Promise<EntryValues> {
  const hasValue = ([, own]: readonly [FieldDef, readonly Cell[]]) => own.some((cell) => cell !== null);
  const cleared = [...cells].filter((entry) => !hasValue(entry)).map(([{ id }]) => id);
  const valued = [...cells].filter(hasValue);
  if (valued.length === 0) return { set: '{}', cleared };
  const columns = valued.flatMap(([field, own]) =>
    fieldType(field.type)
      .columns(field)
      .map((column, at) => bound(own[at] ?? null, column)),
  );
  const [row = []] = (await tx.run(sql`select ${join(columns, ', ')}`)).rows;
  const scope = readScope(call, object, 'e'); // for formatting only; no record is read
  let at = 0;
  const members = valued.map(([field, own]) => {
    const [member] = fieldType(field.type).read(field, scope).members;
    const text = member?.json(row, at) ?? 'null';
    at += own.length;
    return `${JSON.stringify(field.id)}:${text}`;
  });
  return { set: `{${members.join(',')}}`, cleared };
}

/** Throws VALIDATION_ERROR where the JSON text of an entry's values is too long. */
export function refuseLongEntry(text: string): void {
  if (text.length <= mostCharacters) return;
  const most = mostCharacters.toLocaleString('en');
  const message = `entry_fields can have at most ${most} characters of JSON`;
  throw errors.validation(message, [{ field: 'entry_fields', message }]);
}
