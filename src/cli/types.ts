/** `kith types`: TypeScript types of a workspace's records. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { errors, quoted } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import { withExamples } from './help.ts';
import type { Answering } from './output.ts';

interface TypesOptions {
  readonly org: string;
  readonly out?: string;
}

export function addTypesCommand(program: Command, answer: Answering): void {
  const types = program.command('types').description("print TypeScript types of a workspace's records");
  withExamples(types, ['kith types --org ID > kith.ts', 'kith types --org ID --out src/kith.ts']);
  types
    .requiredOption('--org <id>', 'the organization')
    .option('--out <path>', 'the file that is written; printed without')
    .action(({ org, out }: TypesOptions) =>
      answer(async (context) => {
        const { printTypes } = await import('../operations/types.ts');
        const desk = await context.desk(org, 'cli', context.note);
        const value = await desk.perform(printTypes, {});
        if (out === undefined) return { value, text: value.types };
        await write(out, value.types);
        return { value, text: '' };
      }),
    );
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    const reason = messageOf(error);
    throw errors.notFound(`${quoted(path)} cannot be written: ${reason}`);
  }
}
