/** An import adds to a record's sets of addresses and numbers, and removes nothing. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import { isObject, parseJson, type Json } from '../../../lib/json.ts';
import type { ObjectDef } from '../../../model/model.ts';
import { identifier, join, sql } from '../../../postgres/sql.ts';
import type { Cell } from '../../../postgres/database.ts';
import type { Change } from '../../writing/change.ts';
import { isSet } from '../mapping/entry.ts';

/** The changes, with the stored values of sets of their locked records before the new ones. */
export async function withStoredValues<Row extends Change>(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Row[],
): Promise<readonly Row[]> {
  const sets = object.fields.filter((field) => isSet(field) && changes.some(({ cells }) => cells.has(field)));
  if (sets.length === 0) return changes;
  const columns = sets.map((field) => sql`${identifier(field.name)}::text`);
  const ids = changes.map(({ id }) => id);
  const { rows } = await tx.run(
    sql`select id, ${join(columns, ', ')} from ${call.workspace.table(object.table)} where id = any(${ids}::uuid[])`,
  );
  const stored = new Map(rows.map(([id, ...cells]) => [id ?? '', cells]));
  return changes.map((change) => {
    const cells = new Map(change.cells);
    for (const [at, field] of sets.entries()) {
      const given = cells.get(field);
      if (given) cells.set(field, [union(field, stored.get(change.id)?.[at] ?? null, given[0] ?? null)]);
    }
    return { ...change, cells };
  });
}

function union(field: FieldDef, before: Cell, given: Cell): Cell {
  const key = field.type === 'EMAILS' ? 'email' : 'phone';
  const [known, more] = [itemsOf(before), itemsOf(given)];
  if (known.length === 0) return given;
  const identity = (item: Json) => {
    const value = isObject(item) ? item[key] : undefined;
    return typeof value === 'string' ? value.toLowerCase().replaceAll(/[\s()./-]/g, '') : '';
  };
  const taken = new Set(known.map(identity));
  const added = more.filter((item) => !taken.has(identity(item)));
  const others = added.map((item) => (isObject(item) ? { ...item, is_primary: false } : item));
  return JSON.stringify([...known, ...others]);
}

function itemsOf(cell: Cell): readonly Json[] {
  const items = cell === null ? [] : parseJson(cell);
  return Array.isArray(items) ? items : [];
}
