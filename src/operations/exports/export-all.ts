/** Exports all records of an object, without a limit, for the command line. [spec: Export] */
import { Type } from 'typebox';
import type { Row } from '../../postgres/database.ts';
import { planExport } from '../../query/plan-export.ts';
import { exportFormats, exportWriter, type ExportWriter } from '../../records/reading/export-writer.ts';
import { totalOf } from '../../records/reading/list-page.ts';
import { refuseMoreRows } from '../../records/xlsx/sheet.ts';
import { workbook } from '../../records/xlsx/workbook.ts';
import { rowsAtOnce } from './export.ts';
import { Choice, ObjectName } from '../inputs.ts';
import { defineRecordOperation } from '../door/operation.ts';

export interface WholeExport {
  /** The number of records at the start. */
  readonly total: number;
  /** The document in pieces, as of one moment; `records` counts the records that a piece completes. */
  readonly pieces: AsyncIterable<Piece>;
}

interface Piece<Content = string | Uint8Array> {
  readonly content: Content;
  readonly records: number;
}

export const exportAll = defineRecordOperation({
  id: 'records.exportAll',
  summary: 'All records of an object, streamed',
  input: Type.Object({ object: ObjectName, format: Choice(exportFormats) }, { additionalProperties: false }),
  output: Type.Object({ total: Type.Integer(), pieces: Type.Unknown() }),
  needs: 'view',
  effect: 'read',
  cost: 'bulk',
  adminOnly: 'Exporting records',
  async run(call, input, object): Promise<WholeExport> {
    const plan = planExport(call, object, { where: [], sort: [] }, call.signer);
    const total = await totalOf(call, object, []);
    if (input.format === 'xlsx') refuseMoreRows(total + 1);
    // The first batch is read here: a stale caller is found while the operation can still be repeated.
    const batches = call.workspace.stream(plan.statement, rowsAtOnce)[Symbol.asyncIterator]();
    const first = await batches.next();
    await call.workspace.transaction(async (tx) =>
      call.audit(tx, 'export', { object: object.name, format: input.format, records: total }),
    );
    const text = document(exportWriter(input.format, plan), first, batches);
    return { total, pieces: input.format === 'xlsx' ? inWorkbook(object.name, text) : text };
  },
});

async function* document(
  writer: ExportWriter,
  first: IteratorResult<readonly Row[]>,
  batches: AsyncIterator<readonly Row[]>,
): AsyncGenerator<Piece<string>> {
  let records = 0;
  try {
    yield { content: writer.head, records };
    for (let next = first; !next.done; next = await batches.next()) {
      const text = next.value.map(writer.record).join(writer.divider);
      yield { content: records === 0 ? text : writer.divider + text, records: next.value.length };
      records += next.value.length;
    }
    yield { content: writer.tail(records), records: 0 };
  } finally {
    await batches.return?.();
  }
}

/** The sheet as an xlsx file; records are counted with the next piece. */
async function* inWorkbook(name: string, sheet: AsyncIterable<Piece<string>>): AsyncGenerator<Piece<Uint8Array>> {
  let records = 0;
  async function* texts() {
    for await (const piece of sheet) {
      records += piece.records;
      yield piece.content;
    }
  }
  for await (const content of workbook(name, texts())) {
    // Copied first, since the sheet is read on while the piece is consumed.
    const piece = { content, records };
    records = 0;
    yield piece;
  }
}
