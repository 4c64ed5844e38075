/** `kith import`: imports a file of any size into an object. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { errors } from '../errors.ts';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { ImportOptions } from './import-settings.ts';
import type { Answering } from './output.ts';
import type { WholeImportOptions } from './whole-import.ts';

type GivenOptions = Omit<ImportOptions, 'object' | 'file'> &
  Partial<Pick<ImportOptions, 'object' | 'file'>> &
  Partial<WholeImportOptions>;

/** Adds `kith import`. */
export function addImportCommand(program: Command, answer: Answering): void {
  const command = program
    .command('import')
    .description('bring the records of a file into an object, or all that a folder has');
  withExamples(command, [
    'kith import --object contacts --file contacts.csv',
    'kith import --object contacts --file - --format json < contacts.jsonl',
    "kith import --object companies --file c.csv --map 'Firm=name' --map 'Notes='",
    'kith import --object contacts --file google.csv --match emails --on-match update --dry-run',
    'kith import --object companies --file hubspot-companies.csv --keep-ids --add-options',
    'kith import --all acme --create-users',
  ]);
  command
    .addOption(organizationOption())
    .option('--object <name>', 'the object, for example contacts')
    .option('--file <path>', 'the file, or - for standard input')
    .addOption(
      new Option('--all <folder>', 'everything that kith export --all has written into a folder').conflicts(ofOneFile),
    )
    .option('--create-users', 'with --all: make the people who are not here yet')
    .addOption(
      new Option('--format <format>', 'when the name of the file does not tell').choices(['csv', 'json', 'vcard']),
    )
    .option(
      '--map <column=field>',
      'which field a column means; no field: ignore it (repeatable)',
      addMapping,
      new Map<string, string>(),
    )
    .option('--match <field>', 'a row is the record that has its value of this field (repeatable)', addField)
    .addOption(
      new Option('--on-match <what>', 'what becomes of a record that matches').choices(['update', 'skip', 'create']),
    )
    .option(
      '--new-field <column=field>',
      'make a field of a column, with its type behind a colon where the column does not tell (repeatable)',
      addNewField,
    )
    .option('--new-fields', 'make a field of each column that goes nowhere')
    .option('--keep-ids', 'make a field that keeps the ids of the program which the file comes from')
    .option('--add-options', 'add the options that fields lack')
    .option('--create-missing', 'make the records that relations name and that are not there')
    .addOption(
      new Option('--date-format <order>', 'of dates that can be read in several ways').choices(['DMY', 'MDY', 'YMD']),
    )
    .addOption(
      new Option('--bad-cells <what>', 'a cell that its field cannot take: fail its row, or leave it empty').choices([
        'fail',
        'empty',
      ]),
    )
    .option('--dry-run', 'say where the columns go and what would become of the rows, and change nothing')
    .option('--errors-out <path>', 'write the rows that failed, each with its reason')
    .option('--yes', 'ask nothing')
    .option('--allow-errors', 'exit with 0 although rows failed')
    .action((options: GivenOptions) => bring(options, answer));
}

/** Imports a folder, or the file of one object. Throws VALIDATION_ERROR if neither is named. */
function bring({ all, createUsers = false, object, file, ...given }: GivenOptions, answer: Answering): Promise<void> {
  if (all !== undefined) {
    return answer(async (context) => {
      const { importWhole } = await import('./whole-import.ts');
      return importWhole(context, { all, createUsers, ...given });
    });
  }
  if (createUsers) throw errors.validation('--create-users goes with --all');
  if (object === undefined || file === undefined)
    throw errors.validation(`--${object === undefined ? 'object' : 'file'} is needed, or --all for a folder`);
  return answer(async (context) => {
    const { importFile } = await import('./import-file.ts');
    return importFile(context, { object, file, ...given });
  });
}

/** Options that only apply to a single file. */
const ofOneFile = [
  'object',
  'file',
  'format',
  'map',
  'newField',
  'newFields',
  'keepIds',
  'addOptions',
  'match',
  'onMatch',
  'createMissing',
  'dateFormat',
  'badCells',
  'errorsOut',
];

/** `Tier`, `Tier=level` or `Tier=level:SELECT`. */
function addNewField(
  text: string,
  fields: ReadonlyMap<string, string> = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const divider = text.lastIndexOf('=');
  if (divider === 0) throw new InvalidArgumentError('It has to look like COLUMN=field:TYPE.');
  const [column, field] = divider < 0 ? [text, ''] : [text.slice(0, divider), text.slice(divider + 1)];
  return new Map([...fields, [column.trim(), field.trim()]]);
}

function addField(text: string, fields: readonly string[] = []): readonly string[] {
  return [...fields, ...text.split(',').map((field) => field.trim())];
}

/** Splits at the last `=`: a column's name may contain one, a field's cannot. */
function addMapping(text: string, mappings: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const divider = text.lastIndexOf('=');
  if (divider <= 0) throw new InvalidArgumentError('It has to look like COLUMN=field.');
  return new Map([...mappings, [text.slice(0, divider).trim(), text.slice(divider + 1).trim()]]);
}
