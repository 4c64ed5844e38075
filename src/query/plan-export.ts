/** Records for a download, to be streamed: ids of other records appear as their labels. [spec: Export] */
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { join, sql, statement, type Statement } from '../postgres/sql.ts';
import { Budget } from './budget.ts';
import { callersScope } from './callers-scope.ts';
import type { QueryContext } from './context.ts';
import type { CursorSigner } from './cursor.ts';
import { orderBy } from './keyset.ts';
import { objectScope } from './object-scope.ts';
import { pageStart } from './page-start.ts';
import { alias, conditionsOf, tableRows, type ListRequest } from './plan.ts';
import { selectRecord } from './selection.ts';
import { keyName, indexScan, pageOf } from './source.ts';

export interface ExportRequest extends Pick<ListRequest, 'where' | 'cursor' | 'fields'> {
  /** Without keys the records are in id order, which costs nothing. */
  readonly sort: ListRequest['sort'];
  /** Defaults to all. */
  readonly limit?: number | undefined;
}

export interface ExportPlan {
  readonly statement: Statement;
  /** The keys of a record, in order: the requested ones, else all visible ones. */
  readonly keys: readonly string[];
  /** The keys with numbers. */
  readonly numbers: ReadonlySet<string>;
  json(row: Row): string;
  cells(row: Row): string[];
  /** The cursor for the records after this one. */
  cursorAfter(row: Row): string;
}

/** Plans the export. Throws INVALID_FIELD, and VALIDATION_ERROR for a cursor of another query. */
export function planExport(
  context: QueryContext,
  object: ObjectDef,
  request: ExportRequest,
  signer: CursorSigner,
): ExportPlan {
  const budget = new Budget();
  const scope = callersScope(objectScope(context, object, alias), budget);
  const conditions = conditionsOf(request, scope);
  const { order, position, cursorAt } = pageStart(scope, request, signer, budget);
  const selection = selectRecord(object, context, alias, 'export', request.fields, budget);
  const keys = order.keys.map((_, index) => sql`${scope.row}.${keyName(index)}`);
  const id = sql`${scope.row}.id`;
  const columns = join([id, ...keys.map((key) => sql`${key}::text`), ...selection.columns], ', ');
  const query = sql`select ${columns}
    from (${pageOf(indexScan(tableRows(scope), conditions, order), position, request.limit)}) ${scope.row}${join(selection.joins, '')}
    order by ${orderBy(order, keys, id)}`;
  const first = 1 + keys.length;
  return {
    statement: statement(query, context.model.version),
    keys: selection.keys,
    numbers: selection.numbers,
    json: (row) => selection.json(row, first),
    cells: (row) => selection.cells(row, first),
    cursorAfter: (row) => cursorAt({ id: row[0] ?? '', keys: row.slice(1, first) }),
  };
}
