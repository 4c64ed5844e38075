/** `kith org`: organizations. */
import type { Command } from 'commander';
import type { NewOrganization } from '../provision/create-organization.ts';
import { withExamples } from './help.ts';
import type { Answering } from './output.ts';

export function addOrgCommands(program: Command, answer: Answering): void {
  const org = program.command('org').description('make, list and move organizations');
  withExamples(org, [
    'kith org list',
    "kith org create --name Acme --admin-name 'Ada King' --admin-email ada@acme.test",
  ]);

  const create = org.command('create').description('make an organization with its first user, who is an admin');
  withExamples(create, [
    "kith org create --name Acme --admin-name 'Ada King' --admin-email ada@acme.test",
    "kith org create --name Acme --admin-name 'Ada King' --admin-email ada@acme.test \\\n    --currency EUR --timezone Europe/Berlin",
  ]);
  create
    .requiredOption('--name <name>', 'what the organization is called')
    .requiredOption('--admin-name <name>', 'the first user')
    .requiredOption('--admin-email <address>', "the first user's e-mail address")
    .option('--currency <code>', 'what a bare amount means (ISO 4217)', 'USD')
    .option('--timezone <zone>', 'where a day begins (IANA)', 'UTC')
    .option('--datasource <name>', 'the cluster it is placed on (default: the main one)')
    .action((options: NewOrganization) =>
      answer(async (context) => {
        const { createOrganization } = await import('../provision/create-organization.ts');
        return { value: await createOrganization(context.provision, options) };
      }),
    );

  const move = org.command('move').description('move an organization to another cluster while it is used');
  withExamples(move, ['kith org move --org ID --datasource east']);
  move
    .requiredOption('--org <id>', 'the organization')
    .requiredOption('--datasource <name>', 'the cluster it goes to')
    .action(({ org: id, datasource }: { readonly org: string; readonly datasource: string }) =>
      answer(async (context) => {
        const { moveOrganization } = await import('../transfer/move.ts');
        return { value: await moveOrganization(context.provision, id, datasource) };
      }),
    );

  const list = org.command('list').description('list the organizations, oldest first');
  withExamples(list, ['kith org list', 'kith org list --json']);
  list.action(() =>
    answer(async (context) => {
      const organizations = await context.provision.directory.organizations();
      return {
        value: {
          organizations: organizations.map(({ id, name, schema, datasourceId }) => ({
            id,
            name,
            schemaName: schema,
            datasourceId,
          })),
        },
      };
    }),
  );
}
