/** `kith trash`: removes deleted records for good. */
import { InvalidArgumentError, type Command } from 'commander';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';

interface PurgeOptions {
  readonly org?: string;
  readonly olderThan: number;
}

/** Adds `kith trash` with its commands. */
export function addTrashCommands(program: Command, answer: Answering): void {
  const trash = program.command('trash').description('remove for good what was deleted');
  const examples = ['kith trash purge', 'kith trash purge --older-than 0d'];
  withExamples(trash, examples);

  const purge = trash
    .command('purge')
    .description('remove records from the trash for good; the service does it after 30 days');
  withExamples(purge, examples);
  purge
    .addOption(organizationOption())
    .option('--older-than <time>', 'in the trash for longer, for example 7d or 12h', days, 30)
    .action(({ org, olderThan }: PurgeOptions) =>
      answer(async (context) => {
        const { purgeTrash } = await import('../operations/records/trash.ts');
        const desk = await context.desk(org);
        return { value: await desk.perform(purgeTrash, { older_than_days: olderThan }) };
      }),
    );
}

const unitDays: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, y: 365 };
const longestDays = 100 * 365;

function days(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([hdwy])$/.exec(text.trim()) ?? [];
  const result = Number(count) * (unitDays[unit] ?? NaN);
  if (!(result <= longestDays))
    throw new InvalidArgumentError('It must be a number and a unit, such as 30d, 12h or 1y, at most 100y.');
  return result;
}
