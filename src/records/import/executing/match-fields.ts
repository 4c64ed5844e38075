/** Which records rows of a file are: by fields that need not be unique. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import { fieldType } from '../../../fields/registry.ts';
import { comparable } from '../../../model/contact-addresses.ts';
import type { ObjectDef } from '../../../model/model.ts';
import { identifier, sql } from '../../../postgres/sql.ts';
import { objectScope } from '../../../query/object-scope.ts';
import { visibleRow } from '../../../query/where.ts';
import type { Decoded } from '../../writing/decode.ts';
import { matchesOf } from '../../writing/match.ts';
import { keyColumn, keysOf } from '../../writing/unique.ts';

/** The keys that the values have of the field, as they are compared; none where it is empty. */
export function keysFor(field: FieldDef, decoded: Decoded): readonly string[] {
  const keys = keysOf(field, decoded);
  const isLoose = !field.isUnique && fieldType(field.type).uniqueValues !== undefined;
  return [...new Set(isLoose ? keys.flatMap((value) => comparable(value) ?? []) : keys)];
}

/** The records that the caller sees and that have one of the keys, by key. */
export async function matchesFor(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  field: FieldDef,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (keys.length === 0) return new Map();
  if (field.isUnique || fieldType(field.type).uniqueValues !== undefined)
    return matchesOf(call, tx, object, field, keys);
  const column = identifier('t', keyColumn(object, field).name);
  const { rows } = await tx.run(sql`select t.id, ${column}::text from ${call.workspace.table(object.table)} t
    where ${column}::text = any(${keys}::text[]) and ${visibleRow(objectScope(call, object, 't'))}`);
  const found = new Map<string, Set<string>>();
  for (const [id, key] of rows) found.set(key ?? '', (found.get(key ?? '') ?? new Set()).add(id ?? ''));
  return found;
}
