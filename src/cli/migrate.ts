/** `kith migrate`: schemas up to date. */
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import type { Answering } from './output.ts';

export function addMigrateCommand(program: Command, answer: Answering): void {
  const command = program.command('migrate').description('bring the control schema and every organization up to date');
  withExamples(command, ['kith migrate', 'kith migrate --json']);
  command.action(() =>
    answer(async ({ migrated: { applied, failed } }) => {
      if (failed.length === 0) return { value: { applied } };
      const message = `Not migrated: ${failed.map((one) => `${one.schema} (${one.message})`).join('; ')}`;
      return { value: { code: 'WRITE_FAILED', message, applied, failed }, exitCode: exitCodes.failure };
    }),
  );
}
