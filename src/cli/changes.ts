/** `kith changes`: lists the latest change sets and undoes one, by the operations of REST. [decisions: Writing] */
import type { Command } from 'commander';
import type { JsonObject } from '../lib/json.ts';
import { withExamples } from './help.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import type { Answer, Asking } from './output.ts';

interface ListOptions extends OrganizationChoice {
  readonly since?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

/** Adds `kith changes` with its commands, which call a service. */
export function addChangesCommands(program: Command, ask: Asking): void {
  const changes = program.command('changes').description('what was written lately, and its undo');
  withExamples(changes, ['kith changes list', 'kith changes undo CHANGE_SET_ID']);
  addList(changes, ask);
  addUndo(changes, ask);
}

function addList(changes: Command, ask: Asking): void {
  const list = changes.command('list').description('what was written together, latest first');
  withExamples(list, ['kith changes list', 'kith changes list --since 2026-03-01 --limit 5']);
  list
    .addOption(organizationOption())
    .option('--since <time>', 'from this time on (default: 30 days ago)')
    .option('--limit <number>', 'how many a page has, up to 100')
    .option('--cursor <cursor>', 'the page behind this one')
    .action(({ org, ...options }: ListOptions) =>
      ask(org, async (client) => {
        const { listChangeSets } = await import('../operations/records/change-sets.ts');
        const value = await client.ask(listChangeSets, { ...options });
        if (value['nextCursor'] !== undefined) client.note(`The next page is --cursor ${String(value['nextCursor'])}`);
        return listed(value);
      }),
    );
}

function addUndo(changes: Command, ask: Asking): void {
  const undo = changes.command('undo').description('undo a change set, except values that were changed since');
  withExamples(undo, ['kith changes undo CHANGE_SET_ID']);
  undo
    .argument('<id>', 'its id, as kith changes list shows it')
    .addOption(organizationOption())
    .action((id: string, { org }: OrganizationChoice) =>
      ask(org, async (client) => {
        const { undoChangeSet } = await import('../operations/records/undo.ts');
        return { value: await client.ask(undoChangeSet, { change_set: id }) };
      }),
    );
}

/** The text has a line per change set: who wrote it is a name, and the counts are last. */
async function listed(value: JsonObject): Promise<Answer> {
  const { terminalWidth, textOf } = await import('./output.ts');
  const data = (value['data'] as readonly JsonObject[]).map(({ id, at, actor, means, agent, operation, records }) => ({
    id,
    at,
    by: agent ?? (actor as JsonObject | null)?.['display'],
    means,
    operation,
    records,
  }));
  return { value, text: textOf({ data }, terminalWidth()) };
}
