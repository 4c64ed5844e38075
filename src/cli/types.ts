/** `kith types`: TypeScript types of a workspace's records. */
import type { Command } from 'commander';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';
import { refuseExisting, writeWhole } from './written-file.ts';

interface TypesOptions {
  readonly org?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/** Adds `kith types`. */
export function addTypesCommand(program: Command, answer: Answering): void {
  const types = program.command('types').description("print TypeScript types of a workspace's records");
  withExamples(types, ['kith types > kith.ts', 'kith types --out src/kith.ts --force']);
  types
    .addOption(organizationOption())
    .option('--out <path>', 'the file that is written; printed without')
    .option('--force', 'write over a file that is there')
    .action(({ org, out, force = false }: TypesOptions) =>
      answer(async (context) => {
        if (out !== undefined && !force) await refuseExisting(out);
        const { printTypes } = await import('../operations/workspace/types.ts');
        const desk = await context.desk(org);
        const value = await desk.perform(printTypes, {});
        if (out === undefined) return { value, text: value.types };
        const file = { path: out, replaces: force, mode: 0o666 };
        await writeWhole(file, (write) => write(value.types));
        return { value, text: '' };
      }),
    );
}
