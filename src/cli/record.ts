/** `kith record`: reads and writes records by the operations of REST. */
import type { Command } from 'commander';
import { errors, quoted } from '../errors.ts';
import { withExamples } from './help.ts';
import { organizationOrTokenOption, type OrganizationChoice } from './organization.ts';
import type { Asking } from './output.ts';
import type { ListOptions } from './record-list.ts';

interface WriteOptions extends OrganizationChoice {
  readonly data?: string;
}

interface GetOptions extends OrganizationChoice {
  readonly fields?: string;
}

/** Adds `kith record` with its commands, which call a service. */
export function addRecordCommands(program: Command, ask: Asking): void {
  const record = program.command('record').description('list, read, make, change and delete records');
  withExamples(record, [
    'kith record list contacts --search anna',
    'kith record create companies name=Globex annual_revenue=1200000',
  ]);
  addList(record, ask);
  addGet(record, ask);
  addCreate(record, ask);
  addUpdate(record, ask);
  addDelete(record, ask);
}

function addList(record: Command, ask: Asking): void {
  const list = record.command('list').description('a page of records, or all of them');
  withExamples(list, [
    'kith record list contacts --search anna --fields first_name,last_name,emails',
    'kith record list opportunities --sort=-amount,name --limit 5',
    `kith record list companies --all --filters '{ "type": "AND", "conditions": [\n    { "field": "industry", "operator": "equals", "value": "software" } ] }'`,
  ]);
  list
    .argument('<object>', 'for example contacts')
    .addOption(organizationOrTokenOption())
    .option('--filters <json>', 'a filter group, as in docs/rest/filters.md')
    .option('--search <words>', 'words that all must occur')
    .option('--sort <fields>', 'by which fields, - before one turns it round; or sort keys as JSON')
    .option('--fields <names>', 'only these, separated by commas')
    .option('--limit <number>', 'how many a page has, up to 100')
    .option('--cursor <cursor>', 'the page behind this one')
    .option('--all', 'page after page, to the end')
    .action((object: string, { org, ...options }: ListOptions & OrganizationChoice) =>
      ask(org, async (client) => {
        const { listAnswer } = await import('./record-list.ts');
        return listAnswer(client, object, options);
      }),
    );
}

function addGet(record: Command, ask: Asking): void {
  const get = record.command('get').description('one record, with what it belongs to');
  withExamples(get, ['kith record get contacts RECORD_ID', 'kith record get contacts RECORD_ID --fields emails']);
  get
    .argument('<object>', 'for example contacts')
    .argument('<id>', 'its id')
    .addOption(organizationOrTokenOption())
    .option('--fields <names>', 'only these, separated by commas')
    .action((object: string, id: string, { org, ...options }: GetOptions) =>
      ask(org, async (client) => {
        const { getRecord } = await import('../operations/records/records.ts');
        const { recordText } = await import('./record-list.ts');
        const value = await client.ask(getRecord, { object, id, ...options });
        return { value, text: recordText(value) };
      }),
    );
}

function addCreate(record: Command, ask: Asking): void {
  const create = record.command('create').description('make a record');
  withExamples(create, [
    "kith record create contacts first_name=Anna 'emails=anna@globex.test; a@globex.test'",
    `kith record create companies --data '{ "name": "Globex", "annual_revenue": 1200000 }'`,
    'kith record create companies --data - < company.json',
  ]);
  withValues(create.argument('<object>', 'for example contacts')).action(
    (object: string, pairs: readonly string[], { org, data }: WriteOptions) =>
      ask(org, async (client) => {
        const { createRecord } = await import('../operations/records/records.ts');
        const { valuesGiven } = await import('./record-values.ts');
        const values = await valuesGiven(client, object, pairs, data);
        return written(await client.ask(createRecord, { object, values }));
      }),
  );
}

function addUpdate(record: Command, ask: Asking): void {
  const update = record.command('update').description('change fields of a record; what is not named stays');
  withExamples(update, [
    'kith record update contacts RECORD_ID job_title=CTO linkedin_url=',
    'kith record update contacts RECORD_ID --data \'{ "job_title": "CTO" }\'',
  ]);
  withValues(update.argument('<object>', 'for example contacts').argument('<id>', 'its id')).action(
    (object: string, id: string, pairs: readonly string[], { org, data }: WriteOptions) =>
      ask(org, async (client) => {
        const { updateRecord } = await import('../operations/records/records.ts');
        const { valuesGiven } = await import('./record-values.ts');
        if (id.includes('=')) throw errors.validation(`${quoted(id)} is no id; perhaps a variable is not set`);
        const values = await valuesGiven(client, object, pairs, data);
        return written(await client.ask(updateRecord, { object, id, values }));
      }),
  );
}

function addDelete(record: Command, ask: Asking): void {
  const remove = record.command('delete').description('put a record into the trash, for 30 days');
  withExamples(remove, ['kith record delete contacts RECORD_ID']);
  remove
    .argument('<object>', 'for example contacts')
    .argument('<id>', 'its id')
    .addOption(organizationOrTokenOption())
    .action((object: string, id: string, { org }: OrganizationChoice) =>
      ask(org, async (client) => {
        const { deleteRecord } = await import('../operations/records/records.ts');
        return { value: await client.ask(deleteRecord, { object, id }) };
      }),
    );
}

function withValues(command: Command): Command {
  return command
    .argument('[name=value...]', 'values of fields as people write them; nothing behind = clears one')
    .addOption(organizationOrTokenOption())
    .option('--data <json>', 'values as a JSON object; - reads it from standard input');
}

/** The text names the record and what was done; the JSON has the whole record. */
async function written(value: object) {
  const { terminalWidth, textOf } = await import('./output.ts');
  const { record: _, ...rest } = value as { readonly record?: unknown };
  return { value, text: textOf(rest, terminalWidth()) };
}
