/** New records as a write of rows. */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { castType, storedColumns } from './columns.ts';
import { Given, setting, type GivenRow, type WrittenColumn } from './given.ts';
import { checkReferences } from './references.ts';
import { unexplained, type RowWrite } from './row-write.ts';
import { joinTexts, searchParts } from './search-parts.ts';

export interface NewRow extends GivenRow {
  /** `LinkChanges` as JSON text; null where it has no links. */
  readonly links: string | null;
}

/** Rows whose references hold. What they point at is locked against the trash. */
export async function insertion(call: Call, object: ObjectDef, rows: readonly NewRow[]): Promise<RowWrite> {
  const given = new Given(rows);
  const parts: Readonly<Record<string, string>>[] = [];
  for (const { cells } of rows) parts.push(await searchParts(object, cells));
  const searchable = [
    { name: 'search_parts', type: sql`jsonb`, cells: parts.map((texts) => JSON.stringify(texts)) },
    { name: 'search_text', type: sql`text`, cells: parts.map((texts) => joinTexts(object, texts)) },
  ].map(({ name, type, cells }) => ({ name, type, value: given.add(type, cells) }));
  const links = linksIn(given, rows);
  const { locks, checks } = checkReferences(call, object, given);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    object,
    action: 'create',
    ids: given.ids,
    reads: [...locks, given.clause()],
    from: sql`given`,
    id: sql`given.id`,
    columns: [...newColumns(call, object, given), ...searchable],
    checks: checks.map(({ condition, problem }) => ({ condition, problem: (id) => problem(byId.get(id)) })),
    before: sql`null::jsonb`,
    links,
    missing: unexplained,
  };
}

/** The links of each row as an expression over `given`. */
export function linksIn(given: Given, rows: readonly { readonly links: Cell }[]): Sql {
  const cells = rows.map(({ links }) => links);
  return cells.every((cell) => cell === null) ? sql`null::jsonb` : given.add(sql`jsonb`, cells);
}

function newColumns(call: Call, object: ObjectDef, given: Given): WrittenColumn[] {
  const now = sql`${new Date(call.now).toISOString()}::timestamptz`;
  return storedColumns(object).map((column) => {
    if (column.field.type === 'ID') return setting(column, sql`given.id`);
    if (column.name === 'created_at' || column.name === 'updated_at') return setting(column, now);
    return setting(column, given.value(column.field, column.at) ?? sql`null::${castType(column)}`);
  });
}
