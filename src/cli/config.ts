/** `kith config`: the settings in force. */
import type { Command } from 'commander';
import { settingsInForce } from '../config.ts';
import { withExamples } from './help.ts';
import { terminalWidth, textOf, type Onlooking } from './output.ts';

/** Adds `kith config`. */
export function addConfigCommand(program: Command, look: Onlooking): void {
  const command = program.command('config').description('show every setting, and where its value comes from');
  withExamples(command, ['kith config', 'kith config --json']);
  command.action(() =>
    look(async () => {
      const settings = settingsInForce();
      const short = settings.map(({ name, value, source }) => ({ name, value, source }));
      return { value: { settings }, text: textOf({ settings: short }, terminalWidth()) };
    }),
  );
}
