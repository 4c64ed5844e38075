/** `kith sandbox`: the provider without an outside, for trying things out. [contract: Ingest] */
import type { Command } from 'commander';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';

interface OutboxOptions {
  readonly org?: string;
  readonly account?: string;
}

/** Adds `kith sandbox` with its commands. */
export function addSandboxCommands(program: Command, answer: Answering): void {
  const sandbox = program.command('sandbox').description('look at what accounts of the provider sandbox have sent');
  const examples = ['kith sandbox outbox', 'kith sandbox outbox --account ada@acme.test --json'];
  withExamples(sandbox, examples);

  const outbox = sandbox
    .command('outbox')
    .description('print what was sent and marked in accounts of the sandbox, the latest last');
  withExamples(outbox, examples);
  outbox
    .addOption(organizationOption())
    .option('--account <address>', 'of the account with this address alone')
    .action(({ org, account }: OutboxOptions) =>
      answer(async (context) => {
        const { readSandbox } = await import('../operations/conversations/messages.ts');
        const desk = await context.desk(org);
        return { value: await desk.perform(readSandbox, { ...(account !== undefined && { account }) }) };
      }),
    );
}
