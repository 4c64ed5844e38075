/** `kith complete KIND`: prints names for the scripts of `kith completion`, one per line, or nothing if they are not available quickly. */
import { Argument, type Command } from 'commander';
import type { Onlooker } from './context.ts';
import { organizationMeant, organizationOption, type OrganizationChoice } from './organization.ts';
import type { Onlooking } from './output.ts';

export const valueKinds = ['organizations', 'objects', 'roles', 'datasources'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** The longest that a key press waits. */
const patienceMs = 10_000;

/** Adds the hidden command for completions. It gives up early rather than block the terminal. */
export function addCompleteCommand(program: Command, look: Onlooking): void {
  program
    .command('complete', { hidden: true })
    .addArgument(new Argument('<kind>').choices(valueKinds))
    .addOption(organizationOption())
    .action(async (kind: ValueKind, { org }: OrganizationChoice) => {
      const end = setTimeout(() => process.exit(0), patienceMs).unref();
      await look(async (onlooker) => {
        const names = await namesOf(onlooker, kind, org).catch(() => []);
        return { value: { names }, text: names.map((name) => `${name}\n`).join('') };
      });
      clearTimeout(end);
    });
}

async function namesOf(onlooker: Onlooker, kind: ValueKind, org: string | undefined): Promise<readonly string[]> {
  const main = await onlooker.join();
  if (!main) return [];
  const { directory } = await onlooker.groundOn(main);
  if (kind === 'datasources') return (await directory.datasources()).map(({ name }) => name);
  if (kind === 'organizations') {
    const { organizationsByName } = await import('../provision/organization-names.ts');
    return (await organizationsByName(directory)).organizations.map(({ name }) => name);
  }
  const { objectNames, roleNames } = await import('../provision/names-within.ts');
  const id = await organizationMeant(directory, org ?? onlooker.config.client.org);
  return kind === 'objects' ? objectNames(directory, id) : roleNames(directory, id);
}
