/** All records of an object, however many there are, for the command line. [spec: Export] */
import { Type } from 'typebox';
import type { Row } from '../postgres/database.ts';
import { planExport } from '../query/plan-export.ts';
import { exportFormats, exportWriter, type ExportWriter } from '../records/reading/export-writer.ts';
import { totalOf } from '../records/reading/list-page.ts';
import { rowsAtOnce } from './export.ts';
import { Choice, ObjectName } from './inputs.ts';
import { defineRecordOperation } from './door/operation.ts';

export interface WholeExport {
  /** How many there were when it began. */
  readonly total: number;
  /** The document, piece by piece, as it was at one moment; `records` counts those that a piece ends. */
  readonly pieces: AsyncIterable<{ readonly text: string; readonly records: number }>;
}

export const exportAll = defineRecordOperation({
  id: 'records.exportAll',
  summary: 'All records of an object, piece by piece',
  input: Type.Object({ object: ObjectName, format: Choice(exportFormats) }, { additionalProperties: false }),
  output: Type.Object({ total: Type.Integer(), pieces: Type.Unknown() }),
  needs: 'view',
  effect: 'read',
  cost: 'bulk',
  adminOnly: 'Exporting records',
  async run(call, input, object): Promise<WholeExport> {
    const plan = planExport(call, object, { where: [], sort: [] }, call.signer);
    const total = await totalOf(call, object, []);
    // Sent for here: what turns out to be old is found while the operation can still be repeated.
    const batches = call.workspace.stream(plan.statement, rowsAtOnce)[Symbol.asyncIterator]();
    const first = await batches.next();
    return { total, pieces: document(exportWriter(input.format, plan), first, batches) };
  },
});

async function* document(
  writer: ExportWriter,
  first: IteratorResult<readonly Row[]>,
  batches: AsyncIterator<readonly Row[]>,
): WholeExport['pieces'] {
  let records = 0;
  try {
    yield { text: writer.head, records };
    for (let next = first; !next.done; next = await batches.next()) {
      const text = next.value.map(writer.record).join(writer.divider);
      yield { text: records === 0 ? text : writer.divider + text, records: next.value.length };
      records += next.value.length;
    }
    yield { text: writer.tail(records), records: 0 };
  } finally {
    await batches.return?.();
  }
}
