/** [spec: Export] */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import type { FilterGroup, ObjectDef } from '../model/model.ts';
import type { SortKey } from '../query/order.ts';
import { planExport } from '../query/plan.ts';
import { csvLine } from '../records/csv-writer.ts';
import { objectNamed, unknownObject } from '../records/decode.ts';
import { FilterInput, filtersOf } from './filter-input.ts';
import { FieldNames, namesIn, ObjectName, pageSize } from './inputs.ts';
import { defineOperation, Download, JsonText } from './operation.ts';

const rowsAtOnce = 500;
const exportSize = pageSize(5000, 10_000);

export const exportRecords = defineOperation({
  id: 'records.export',
  summary: 'Records as JSON or CSV, with labels where ids are; in a form that imports again',
  input: Type.Object(
    {
      object: ObjectName,
      format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])),
      fields: FieldNames,
      ...FilterInput,
      sort_by: Type.Optional(Type.String()),
      sort_dir: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
      limit: exportSize.input,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    format: Type.String({ enum: ['json'] }),
    records: Type.Array(Type.Record(Type.String(), Type.Unknown(), { description: 'Values by field, labels for ids' })),
    total: Type.Integer(),
  }),
  needs: 'view',
  download: 'text/csv',
  mode: 'read',
  cost: 'bulk',
  adminOnly: 'Exporting records',
  async run(call, input) {
    const object = exportableObject(call, input.object);
    const sort: SortKey[] =
      input.sort_by === undefined ? [] : [{ field: input.sort_by, direction: input.sort_dir ?? 'asc' }];
    const limit = exportSize.of(input.limit);
    const plan = planExport(call, object, {
      where: exportFilters(call, input),
      sort,
      limit,
      fields: namesIn(input.fields),
    });
    // All of it is read before any of it is sent: a slow reader holds no connection.
    const csv = input.format === 'csv';
    const parts: string[] = [];
    for await (const rows of call.workspace.stream(plan.statement, rowsAtOnce)) {
      for (const row of rows) parts.push(csv ? csvLine(plan.cells(row)) : plan.json(row));
    }
    if (!csv) return new JsonText(`{"format":"json","records":[${parts.join(',')}],"total":${parts.length}}`);
    return new Download(
      'text/csv; charset=utf-8',
      `${object.name}_export.csv`,
      chunks([csvLine([...plan.keys]), ...parts]),
    );
  },
});

/** What can't be read can't be exported, and is as unknown as what does not exist. */
function exportableObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name);
  if (call.visibility.rows(object.name) === 'none') throw unknownObject(call.model, call.visibility, name);
  return object;
}

/** [spec: Export] `filters` that is not valid JSON is ignored; the caller is told beside the answer. */
function exportFilters(call: Call, input: Parameters<typeof filtersOf>[0]): FilterGroup[] {
  const { filters, ...simple } = input;
  if (typeof filters !== 'string' || isJson(filters)) return filtersOf(input, 'both');
  call.warn('filters is not valid JSON and was ignored');
  return filtersOf(simple, 'both');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* chunks(lines: readonly string[]): AsyncIterable<string> {
  for (let at = 0; at < lines.length; at += rowsAtOnce) yield lines.slice(at, at + rowsAtOnce).join('');
}
