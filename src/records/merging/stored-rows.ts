/** Reads the stored rows of master and duplicates under their locks. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { compileRule } from '../../query/where.ts';
import { columnsByField } from '../writing/columns.ts';

export interface StoredRow {
  readonly id: string;
  readonly isTrashed: boolean;
  readonly cells: ReadonlyMap<FieldDef, readonly Cell[]>;
  /** The blank fields, as filters define it. */
  readonly blank: ReadonlySet<FieldDef>;
}

/** The existing records, trashed or not, by id. */
export async function storedRows(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredRow>> {
  const fields = [...columnsByField(object)];
  const scope = objectScope(call, object, 't');
  const cells = fields.flatMap(([, columns]) => columns.map(({ name }) => sql`t.${identifier(name)}`));
  const emptiness = fields.map(([{ name }]) =>
    compileRule({ type: 'AND', conditions: [{ field: name, operator: 'is_empty' }] }, scope),
  );
  const facts = [sql`t.id`, sql`t.deleted_at is not null`, ...cells, ...emptiness];
  const { rows } = await tx.run(
    sql`select ${join(facts, ', ')} from ${call.workspace.table(object.table)} t where t.id = any(${ids}::uuid[])`,
  );
  return new Map(
    rows.map(([id, isTrashed, ...values]) => {
      let at = 0;
      const own = fields.map(([field, columns]) => [field, values.slice(at, (at += columns.length))] as const);
      const blank = own.filter(([, stored], place) => values[at + place] === 't' || stored.every(isBlank));
      const row = { id: id ?? '', isTrashed: isTrashed === 't', cells: new Map(own) };
      return [row.id, { ...row, blank: new Set(blank.map(([field]) => field)) }];
    }),
  );
}

function isBlank(cell: Cell): boolean {
  return cell === null || cell.trim() === '';
}
