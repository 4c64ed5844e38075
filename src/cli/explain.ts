/** `kith explain`: explains why a user may or may not do something. */
import { Option, type Command } from 'commander';
import { errors } from '../errors.ts';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';

interface ExplainOptions {
  readonly org?: string;
  readonly user: string;
  readonly object: string;
  readonly id?: string;
  readonly field?: string;
  readonly action: string;
}

/** Adds `kith explain`. */
export function addExplainCommand(program: Command, answer: Answering): void {
  const explain = program
    .command('explain')
    .description('say which rule of a role decides, and how a record stands to it');
  withExamples(explain, [
    'kith explain --user bob@acme.test --object contacts --id RECORD_ID --action update',
    'kith explain --user bob@acme.test --object contacts --action create',
    'kith explain --user bob@acme.test --object contacts --action update --field job_title',
  ]);
  explain
    .addOption(organizationOption())
    .requiredOption('--user <address>', 'whose access, by e-mail address')
    .requiredOption('--object <name>', 'plural name of the object')
    .option('--id <id>', 'the record; create needs none, nor does what is asked of a field')
    .option('--field <name>', 'a field of it')
    .addOption(
      new Option('--action <action>', 'what the user would do')
        .choices(['view', 'create', 'update', 'delete'])
        .makeOptionMandatory(),
    )
    .action(({ org, id, ...input }: ExplainOptions) =>
      answer(async (context) => {
        if (id === undefined && input.field === undefined && input.action !== 'create')
          throw errors.missingField('--id', `${input.action} is about one record`);
        const { explainAccess } = await import('../operations/records/explain.ts');
        const desk = await context.desk(org);
        return { value: await desk.perform(explainAccess, { ...input, ...(id !== undefined && { record: id }) }) };
      }),
    );
}
