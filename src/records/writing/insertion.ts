/** New records as a RowWrite. */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { castType, storedColumns } from './columns.ts';
import { Given, setting, type GivenRow } from './given.ts';
import { checkReferences } from './references.ts';
import { unexplained, type JudgedRows, type RowWrite, type WrittenColumn } from './row-write.ts';
import { joinTexts, withSearchParts, type Searchable } from './search-parts.ts';
import { timeOf } from './time-of.ts';

export interface NewRow extends GivenRow {
  /** `LinkChanges` as JSON text; null without links. */
  readonly links: string | null;
}

/** Builds the insertion of rows whose references hold. Their targets are locked against the trash. */
export async function insertion(call: Call, object: ObjectDef, rows: readonly NewRow[]): Promise<RowWrite> {
  return insertionOf(call, object, await withSearchParts(object, rows));
}

/** Builds the insertion from rows that already have their search texts. */
export function insertionOf(call: Call, object: ObjectDef, rows: readonly (NewRow & Searchable)[]): RowWrite {
  const given = new Given(rows);
  const parts = given.add(sql`jsonb`, ({ searchParts }) => JSON.stringify(searchParts));
  const text = given.add(sql`text`, ({ searchParts }) => joinTexts(object, searchParts));
  const columns = [
    ...newColumns(call, object, given),
    { name: 'search_parts', type: sql`jsonb`, value: parts },
    { name: 'search_text', type: sql`text`, value: text },
  ];
  const links = linksIn(given);
  const before = sql`null::jsonb`;
  return {
    ...judgedRows(call, object, given),
    object,
    action: 'create',
    columns,
    differs: null,
    version: null,
    before,
    links,
  };
}

/** New rows judged by their references alone, for a write that is not going to happen. */
export function referring(call: Call, object: ObjectDef, rows: readonly GivenRow[]): JudgedRows {
  const isReference = (field: FieldDef) => fieldType(field.type).target !== undefined;
  const bare = rows.map((row) => ({ ...row, cells: new Map([...row.cells].filter(([field]) => isReference(field))) }));
  return judgedRows(call, object, new Given(bare));
}

/** `given` has all columns at this point. */
function judgedRows(call: Call, object: ObjectDef, given: Given): JudgedRows {
  const { locks, checks } = checkReferences(call, object, given);
  return {
    ids: given.ids,
    reads: [...locks, given.clause()],
    from: sql`given`,
    id: sql`given.id`,
    checks: given.checks(checks),
    missing: unexplained,
  };
}

/** The links of each row as an expression over `given`. */
export function linksIn<Row extends GivenRow & { readonly links: Cell }>(given: Given<Row>): Sql {
  return given.rows.every(({ links }) => links === null)
    ? sql`null::jsonb`
    : given.add(sql`jsonb`, ({ links }) => links);
}

function newColumns(call: Call, object: ObjectDef, given: Given): WrittenColumn[] {
  const now = timeOf(call);
  return storedColumns(object).map((column) => {
    if (column.field.type === 'ID') return setting(column, sql`given.id`);
    const isTime = column.name === 'created_at' || column.name === 'updated_at';
    // Only records from another installation bring their times (`records/whole`).
    return setting(column, given.value(column.field, column.at) ?? (isTime ? now : sql`null::${castType(column)}`));
  });
}
