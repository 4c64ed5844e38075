/** `kith changes`: lists the latest change sets and undoes one, by the operations of REST. [decisions: Writing] */
import type { Command } from 'commander';
import type { JsonObject } from '../lib/json.ts';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import { organizationOrTokenOption, type OrganizationChoice } from './organization.ts';
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
    .addOption(organizationOrTokenOption())
    .option('--since <time>', 'from this time on (default: 30 days ago)')
    .option('--limit <number>', 'how many a page has, up to 100')
    .option('--cursor <cursor>', 'the page behind this one')
    .action(({ org, ...options }: ListOptions) =>
      ask(org, async (client) => {
        const { listChangeSets } = await import('../operations/records/change-sets.ts');
        const value = await client.ask(listChangeSets, { ...options });
        if (value['total'] === 0)
          client.note(`Nothing was written ${options.since === undefined ? 'in the last 30 days' : 'since then'}`);
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
    .addOption(organizationOrTokenOption())
    .action((id: string, { org }: OrganizationChoice) =>
      ask(org, async (client) => {
        const { undoChangeSet } = await import('../operations/records/undo.ts');
        return undone(await client.ask(undoChangeSet, { change_set: id }));
      }),
    );
}

/** The text has a line per change set, with its time to the minute, in UTC, and the name of who wrote it. */
async function listed(value: JsonObject): Promise<Answer> {
  const { terminalWidth, textOf } = await import('./output.ts');
  const data = (value['data'] as readonly JsonObject[]).map(({ id, at, actor, agent, operation, records }) => ({
    id,
    at: String(at).slice(0, 16).replace('T', ' '),
    records,
    by: [(actor as JsonObject | null)?.['display'], agent && `(${String(agent)})`].filter(Boolean).join(' '),
    operation,
  }));
  return { value, text: textOf({ data }, terminalWidth()) };
}

/** The text has a line per record of which something was left. The exit code is a failure if nothing could be undone. */
async function undone(value: JsonObject): Promise<Answer> {
  const { terminalWidth, textOf } = await import('./output.ts');
  const { left, ...counts } = value;
  const lines = (left as readonly JsonObject[]).map(
    ({ object, id, reason, fields }) =>
      `${String(object)} ${String(id)}: ${String(reason)}${Array.isArray(fields) ? ` (${fields.join(', ')})` : ''}\n`,
  );
  if (value['undone'] === 0)
    return { value, text: `Nothing was undone\n${lines.join('')}`, exitCode: exitCodes.failure };
  return { value, text: textOf(counts, terminalWidth()) + lines.join('') };
}
