/** How help looks: examples first, 80 columns. */
import type { Command } from 'commander';

export const helpWidth = 80;

/** Puts examples above the usage of `command`. */
export function withExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('before', `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}\n`);
}
