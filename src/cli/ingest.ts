/** `kith ingest`: imports conversations and meetings from JSON lines. [contract: Ingest] */
import type { Command } from 'commander';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { IngestOptions } from './ingest-file.ts';
import type { Answering } from './output.ts';

/** Adds `kith ingest`. */
export function addIngestCommand(program: Command, answer: Answering): void {
  const command = program
    .command('ingest')
    .description('bring in accounts, messages and meetings from a file of JSON lines');
  withExamples(command, ['kith ingest --file mailbox.jsonl', 'kith ingest --file - < mailbox.jsonl']);
  command
    .addOption(organizationOption())
    .requiredOption('--file <path>', 'the file, or - for standard input')
    .action((options: IngestOptions) =>
      answer(async (context) => {
        const { ingestFile } = await import('./ingest-file.ts');
        return ingestFile(context, options);
      }),
    );
}
