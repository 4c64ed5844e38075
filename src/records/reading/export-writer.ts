/** Writers of an export's formats. */
import type { Row } from '../../postgres/database.ts';
import type { ExportPlan } from '../../query/plan-export.ts';
import { csvLine } from '../csv/writer.ts';
import { sheetHead, sheetRow, sheetTail } from '../xlsx/sheet.ts';

export const exportFormats = ['json', 'csv', 'ndjson', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The end of an answer that is not the last. */
export interface ExportEnd {
  /** Undefined where nothing remains. */
  readonly nextCursor: string | undefined;
  /** Whether it ends before its limit because of its size. */
  readonly isCut: boolean;
}

export interface ExportWriter {
  /** The text before the records. */
  readonly head: string;
  record(row: Row): string;
  /** The text between two records. */
  readonly divider: string;
  /** The text after the records. */
  tail(records: number, end?: ExportEnd): string;
}

/** Writes the rows of `plan`; head, records and tail form one document, for `xlsx` its sheet. [spec: Export] */
export function exportWriter(format: ExportFormat, plan: ExportPlan): ExportWriter {
  if (format === 'csv') {
    return { head: csvLine([...plan.keys]), record: (row) => csvLine(plan.cells(row)), divider: '', tail: () => '' };
  }
  if (format === 'ndjson') {
    return { head: '', record: (row) => `${plan.json(row)}\n`, divider: '', tail: () => '' };
  }
  if (format === 'xlsx') return sheetWriter(plan);
  return {
    head: '{"format":"json","records":[',
    record: plan.json,
    divider: ',',
    tail: (records, { nextCursor, isCut } = { nextCursor: undefined, isCut: false }) => {
      const rest = {
        total: records,
        ...(nextCursor !== undefined && { nextCursor }),
        ...(isCut && { truncated: true }),
      };
      return `],${JSON.stringify(rest).slice(1)}`;
    },
  };
}

function sheetWriter(plan: ExportPlan): ExportWriter {
  const columns = plan.keys.map((name) => ({ name, isNumber: plan.numbers.has(name) }));
  let number = 1;
  return {
    head: sheetHead(plan.keys),
    record: (row) => sheetRow(++number, row[0] ?? '', plan.cells(row), columns),
    divider: '',
    tail: () => sheetTail,
  };
}
