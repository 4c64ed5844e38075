/** Exports records from the database to a file or standard output, with the memory for a few hundred records. */
import { extname } from 'node:path';
import { errors } from '../errors.ts';
import { exportAll, type WholeExport } from '../operations/exports/export-all.ts';
import type { Context } from './context.ts';
import type { Answer } from './output.ts';
import { createProgress } from './progress.ts';
import { noteSharedFolder, refuseExisting, writeWhole, type Write } from './written-file.ts';

type ExportFormat = 'csv' | 'json' | 'ndjson' | 'xlsx';

export interface ExportOptions {
  readonly org?: string;
  readonly object: string;
  readonly format?: ExportFormat;
  /** `-` is standard output. */
  readonly file: string;
  readonly force?: true;
}

/** Writes all records of the object to standard output, or to a file, which appears only when complete. */
export async function exportFile(context: Context, options: ExportOptions): Promise<Answer> {
  const { org, object, file, force = false } = options;
  const format = options.format ?? formatOf(file);
  if (format === 'xlsx' && file === '-' && process.stdout.isTTY)
    throw errors.validation('A spreadsheet cannot be printed to a terminal; name a file with --file');
  if (file !== '-' && !force) await refuseExisting(file);
  if (file !== '-') await noteSharedFolder(file, context.note);
  const desk = await context.desk(org);
  const run = async (write: Write) =>
    copy(await desk.perform(exportAll, { object, format }), context.interruption, write);
  if (file !== '-')
    return { value: { object, format, records: await writeWhole({ path: file, replaces: force }, run), file } };
  await run(toStandardOutput);
  return { value: {}, text: '' };
}

function formatOf(file: string): ExportFormat {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return 'json';
  if (extension === '.xlsx') return 'xlsx';
  return ['.ndjson', '.jsonl'].includes(extension) ? 'ndjson' : 'csv';
}

/** Writes the pieces; returns the number of records. */
async function copy({ total, pieces }: WholeExport, signal: AbortSignal, write: Write): Promise<number> {
  const progress = createProgress(process.stderr, process.env);
  let done = 0;
  try {
    for await (const { content, records } of pieces) {
      signal.throwIfAborted();
      await write(content);
      done += records;
      progress.show(done, total > 0 ? done / total : undefined);
    }
    return done;
  } finally {
    progress.clear();
  }
}

function toStandardOutput(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(content, (error) => (error ? reject(error) : resolve())),
  );
}
