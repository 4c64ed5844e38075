/** The layout of help: examples first, 80 columns. */
import type { Command } from 'commander';

export const helpWidth = 80;

/** Puts examples above the usage of `command` in its help. */
export function withExamples(command: Command, examples: readonly string[]): void {
  const text = `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}\n`;
  command.addHelpText('before', ({ error }) => (error ? '' : text));
}

/** A group without a command is answered with its commands instead of its help. */
export function listVerbsWhereMissing(program: Command): void {
  for (const noun of program.commands) {
    if (noun.commands.length === 0) continue;
    const usual = noun.helpInformation.bind(noun);
    noun.helpInformation = (context) => (context?.error ? missingVerb(noun) : usual(context));
  }
}

function missingVerb(noun: Command): string {
  const { commands } = noun;
  const width = Math.max(...commands.map((verb) => verb.name().length));
  const lines = commands.map((verb) => `  kith ${noun.name()} ${verb.name().padEnd(width)}  ${verb.description()}\n`);
  return `error: a command is missing\n${lines.join('')}`;
}

/** The commands of the group that `args` name, as the end of a sentence. */
export function verbsOf(program: Command, args: readonly string[]): string {
  const noun = program.commands.find((command) => args.includes(command.name()));
  const verbs = noun?.commands.map((verb) => verb.name()) ?? [];
  return noun && verbs.length > 0 ? `: kith ${noun.name()} has ${verbs.join(', ')}` : '';
}
