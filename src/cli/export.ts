/** `kith export`: all records of an object, to a file or standard output. */
import { Option, type Command } from 'commander';
import { errors } from '../errors.ts';
import type { ExportOptions } from './export-file.ts';
import type { WholeExportOptions } from './whole-export.ts';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';

type GivenOptions = Partial<ExportOptions> & Partial<WholeExportOptions>;

/** Adds `kith export`; `json` selects JSON answers. */
export function addExportCommand(program: Command, answer: Answering, json: boolean): void {
  const command = program
    .command('export')
    .description('take the records of an object out, or everything; kith import takes them in');
  withExamples(command, [
    'kith export --object contacts > contacts.csv',
    'kith export --object contacts --file contacts.ndjson',
    'kith export --object companies --file companies.xlsx',
    'kith export --object companies --format json --file -',
    'kith export --all acme',
  ]);
  command
    .addOption(organizationOption())
    .option('--object <name>', 'the object, for example contacts')
    .addOption(
      new Option('--all <folder>', 'everything, into a folder of files that kith import --all takes').conflicts([
        'object',
        'format',
        'file',
      ]),
    )
    .addOption(
      new Option('--format <format>', 'default: what the name of the file tells, else csv').choices([
        'csv',
        'json',
        'ndjson',
        'xlsx',
      ]),
    )
    .option('--file <path>', 'the file that is written; standard output without, or with -')
    .option('--force', 'write over what is there')
    .action(({ all, object, file = '-', ...given }: GivenOptions) => {
      if (all !== undefined) {
        return answer(async (context) => {
          const { exportWhole } = await import('./whole-export.ts');
          return exportWhole(context, { all, ...given });
        });
      }
      if (object === undefined) throw errors.validation('--object is needed, or --all for everything');
      const options: ExportOptions = { object, file, ...given };
      if (json && options.file === '-')
        throw errors.validation('--json prints what was exported, so the records need a place of their own: --file');
      return answer(async (context) => {
        const { exportFile } = await import('./export-file.ts');
        return exportFile(context, options);
      });
    });
}
