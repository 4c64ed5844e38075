/** `kith export`: all records of an object, as a file or on standard output. */
import { Option, type Command } from 'commander';
import { errors } from '../errors.ts';
import type { ExportOptions } from './export-file.ts';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';

/** Adds `kith export`; `json` says whether answers are JSON. */
export function addExportCommand(program: Command, answer: Answering, json: boolean): void {
  const command = program.command('export').description('take all records of an object out; kith import takes them in');
  withExamples(command, [
    'kith export --object contacts > contacts.csv',
    'kith export --object contacts --file contacts.ndjson',
    'kith export --object companies --format json --file -',
  ]);
  command
    .addOption(organizationOption())
    .requiredOption('--object <name>', 'the object, for example contacts')
    .addOption(
      new Option('--format <format>', 'default: what the name of the file tells, else csv').choices([
        'csv',
        'json',
        'ndjson',
      ]),
    )
    .option('--file <path>', 'the file that is written; standard output without, or with -', '-')
    .option('--force', 'write over a file that is there')
    .action((options: ExportOptions) => {
      if (json && options.file === '-')
        throw errors.validation('--json prints what was exported, so the records need a place of their own: --file');
      return answer(async (context) => {
        const { exportFile } = await import('./export-file.ts');
        return exportFile(context, options);
      });
    });
}
