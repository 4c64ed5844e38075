/** [spec: Export] Exports one page of records as a file. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { inHeader } from '../../describe/annotations.ts';
import { isLong, joined, piecesOf, together } from '../../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { FilterGroup } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import type { SortKey } from '../../query/order.ts';
import { planExport, type ExportPlan } from '../../query/plan-export.ts';
import {
  exportFormats,
  exportWriter,
  type ExportEnd,
  type ExportFormat,
  type ExportWriter,
} from '../../records/reading/export-writer.ts';
import { totalOf } from '../../records/reading/list-page.ts';
import { workbook, workbookType } from '../../records/xlsx/workbook.ts';
import { FilterInput, filtersOf } from '../records/filter-input.ts';
import { Choice, Cursor, FieldNames, largestBody, namesIn, ObjectName, pageSize } from '../inputs.ts';
import { Download, JsonText, type Page, defineRecordOperation } from '../door/operation.ts';
import { soMany } from '../../lib/so-many.ts';

/** Rows of a statement that are held at a time. */
export const rowsAtOnce = 500;
const exportSize = pageSize(5000, 10_000);

const ndjson = 'application/x-ndjson';

/** Content types of formats that are sent as a file. */
const fileTypes = { csv: 'text/csv; charset=utf-8', ndjson: `${ndjson}; charset=utf-8`, xlsx: workbookType } as const;

export const exportRecords = defineRecordOperation({
  id: 'records.export',
  summary: 'Records as JSON, CSV or a spreadsheet, with labels where ids are',
  input: Type.Object(
    {
      object: ObjectName,
      format: Type.Optional(Choice(exportFormats, 'json')),
      fields: FieldNames,
      ...FilterInput,
      sort_by: Type.Optional(Type.String({ description: 'One key; in the order of ids when absent' })),
      sort_dir: Type.Optional(Choice(['asc', 'desc'], 'asc')),
      limit: exportSize.input,
      cursor: Cursor,
      accept: Type.Optional(Type.String(inHeader('Accept'))),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    format: Type.String({ enum: ['json'] }),
    records: Type.Array(Type.Record(Type.String(), Type.Unknown(), { description: 'Values by field, labels for ids' })),
    total: Type.Integer({ description: 'Records in this answer' }),
    nextCursor: Type.Optional(Type.String({ description: 'Present where records are left out' })),
    truncated: Type.Optional(Type.Boolean({ description: 'Present where it ends early: it would be too large' })),
  }),
  needs: 'view',
  downloads: ['text/csv', ndjson, workbookType],
  effect: 'read',
  cost: 'bulk',
  adminOnly: 'Exporting records',
  async run(call, input, object) {
    const sort: SortKey[] =
      input.sort_by === undefined ? [] : [{ field: input.sort_by, direction: input.sort_dir ?? 'asc' }];
    const limit = exportSize.of(call, input.limit);
    const where = exportFilters(call, input);
    const asked = { where, sort, limit: limit + 1, cursor: input.cursor, fields: namesIn(input.fields) };
    const plan = planExport(call, object, asked, call.signer);
    const format = input.format ?? (input.accept?.includes(ndjson) ? 'ndjson' : 'json');
    const writer = exportWriter(format, plan);
    const { parts, nextCursor, isCut } = await readPart(call, plan, limit, writer);
    const isAll = nextCursor === undefined && input.cursor === undefined;
    // Nothing is sent yet: a caller who lost the right meanwhile gets no rows, and the audit no entry.
    await call.workspace.transaction(async (tx) =>
      call.audit(tx, 'export', { object: object.name, format, records: parts.length }),
    );
    const total = isAll ? parts.length : await totalOf(call, object, where);
    if (nextCursor !== undefined) {
      call.warn(
        `The answer has ${parts.length.toLocaleString('en')} of ${soMany(total, 'record')}: ${cursorIn(call, format)} goes on with the others`,
      );
    }
    const page: Page = {
      total,
      shown: parts.length,
      ...(nextCursor !== undefined && { nextCursor }),
      ...(isCut && { isCut }),
    };
    if (format === 'json') {
      const { head, divider, tail } = writer;
      return new JsonText(
        together(head, joined(parts, divider), tail(parts.length, { nextCursor, isCut })),
        undefined,
        page,
      );
    }
    const text = chunks([writer.head, ...parts, writer.tail(parts.length)]);
    const content = format === 'xlsx' ? workbook(object.name, text) : text;
    return new Download(fileTypes[format], `${object.name}_export.${format}`, content, page);
  },
});

/** Where the cursor is: tools have no headers, and files have no room for it. */
function cursorIn({ source }: Call, format: ExportFormat): string {
  if (source === 'tool' || source === 'agent') return 'nextCursor';
  return format === 'json' ? 'the cursor in Link, and nextCursor,' : 'the cursor in Link';
}

interface Part extends ExportEnd {
  readonly parts: readonly string[];
}

/**
 * Reads all rows before any is sent, so that a slow reader holds no connection. The plan has one row more than `limit`.
 * Large records end it earlier.
 */
async function readPart(call: Call, plan: ExportPlan, limit: number, writer: ExportWriter): Promise<Part> {
  const most = Math.min(largestBody, call.mostBytes ?? largestBody);
  const parts: string[] = [];
  let bytes = 0;
  let last: Row | undefined;
  for await (const rows of call.workspace.stream(plan.statement, rowsAtOnce)) {
    for (const row of rows) {
      if (last && parts.length === limit) return { parts, nextCursor: plan.cursorAfter(last), isCut: false };
      const record = writer.record(row);
      bytes += Buffer.byteLength(record);
      if (last && bytes > most) return { parts, nextCursor: plan.cursorAfter(last), isCut: true };
      parts.push(record);
      last = row;
      if (sliceIsOver()) await nextSlice();
    }
  }
  return { parts, nextCursor: undefined, isCut: false };
}

/** [spec: Export] Invalid JSON in `filters` is ignored with a warning. */
function exportFilters(call: Call, input: Parameters<typeof filtersOf>[0]): FilterGroup[] {
  const { filters, ...simple } = input;
  if (typeof filters !== 'string' || isJson(filters)) return filtersOf(input);
  call.warn('filters is not valid JSON and was ignored');
  return filtersOf(simple);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Joins the lines into chunks of bounded length. */
async function* chunks(lines: readonly string[]): AsyncIterable<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (!isLong(chunk)) continue;
    yield* piecesOf(chunk);
    chunk = '';
  }
  yield chunk;
}
