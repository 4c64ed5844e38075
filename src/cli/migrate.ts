/** `kith migrate`: migrates the schemas, or lists pending migrations. */
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import type { Answering, Onlooking } from './output.ts';

/** Adds `kith migrate`; with `--status` it only reads. */
export function addMigrateCommand(program: Command, answer: Answering, look: Onlooking): void {
  const command = program.command('migrate').description('bring the control schema and every organization up to date');
  withExamples(command, ['kith migrate', 'kith migrate --status']);
  command.option('--status', 'change nothing; say what would be done');
  command.action(({ status }: { readonly status?: boolean }) => (status ? showStatus(look) : migrate(answer)));
}

function migrate(answer: Answering): Promise<void> {
  return answer(async ({ migrated: { applied, failed, obstacles } }) => {
    if (failed.length === 0) return { value: { applied, ...(obstacles.length > 0 && { obstacles }) } };
    const message = `Not migrated: ${failed.map((one) => `${one.schema} (${one.message})`).join('; ')}`;
    return { value: { code: 'WRITE_FAILED', message, applied, failed, obstacles }, exitCode: exitCodes.failure };
  });
}

function showStatus(look: Onlooking): Promise<void> {
  return look(async ({ connect, groundOn }) => {
    const { migrationStatus } = await import('../provision/migration-status.ts');
    const main = await connect();
    const { directory } = await groundOn(main);
    const schemas = await migrationStatus(main, directory);
    const fine = schemas.every(({ state }) => state === 'up to date' || state === 'newer');
    return { value: { schemas }, ...(!fine && { exitCode: exitCodes.failure }) };
  });
}
