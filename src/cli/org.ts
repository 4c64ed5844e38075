/** `kith org`: organizations. */
import type { Command } from 'commander';
import { quoted } from '../errors.ts';
import type { NewOrganization } from '../provision/create-organization.ts';
import { withExamples } from './help.ts';
import { addOrgDelete } from './org-delete.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import type { Answering } from './output.ts';

/** Adds `kith org` with its commands; `json` selects JSON answers. */
export function addOrgCommands(program: Command, answer: Answering, json: boolean): void {
  const org = program.command('org').description('make, list, rename, move and delete organizations');
  withExamples(org, [
    'kith org list',
    "kith org create --name Acme --admin-name 'Ada King' --admin-email ada@acme.test",
  ]);
  addCreate(org, answer);
  addMove(org, answer);
  addRename(org, answer);
  addOrgDelete(org, answer, json);
  addList(org, answer);
}

function addCreate(org: Command, answer: Answering): void {
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
        const value = await createOrganization(context.provision, options);
        const all = await context.provision.directory.organizations();
        const name = options.name.trim();
        if (all.filter((each) => each.name === name).length > 1)
          context.note(`Another organization was made with the name ${quoted(name)}: commands take the id as well`);
        return { value };
      }),
    );
}

function addMove(org: Command, answer: Answering): void {
  const move = org.command('move').description('move an organization to another cluster while it is used');
  withExamples(move, ['kith org move --org Acme --datasource east']);
  move
    .addOption(organizationOption())
    .requiredOption('--datasource <name>', 'the cluster it goes to')
    .action(({ org: wanted, datasource }: { readonly org?: string; readonly datasource: string }) =>
      answer(async (context) => {
        const { moveOrganization } = await import('../transfer/move.ts');
        const { provision, interruption } = context;
        const id = await context.organization(wanted);
        return { value: await moveOrganization(provision, id, datasource, interruption) };
      }),
    );
}

function addRename(org: Command, answer: Answering): void {
  const rename = org.command('rename').description('call an organization something else');
  withExamples(rename, ['kith org rename --org Acme --name Globex']);
  rename
    .addOption(organizationOption())
    .requiredOption('--name <name>', 'what it is called from now on')
    .action(({ org: wanted, name }: OrganizationChoice & { readonly name: string }) =>
      answer(async (context) => {
        const { applyManifest } = await import('../operations/workspace/manifest.ts');
        const desk = await context.desk(wanted);
        await desk.perform(applyManifest, { manifest: { organization: { name } } });
        return { value: { organizationId: desk.session.caller.organizationId, name } };
      }),
    );
}

function addList(org: Command, answer: Answering): void {
  const list = org.command('list').description('list the organizations, oldest first');
  withExamples(list, ['kith org list', 'kith org list --json']);
  list.action(() =>
    answer(async (context) => {
      const { organizationsByName } = await import('../provision/organization-names.ts');
      const { organizations, away } = await organizationsByName(context.provision.directory);
      for (const name of away)
        context.note(`Datasource ${name} does not answer: its organizations have the names that they were made with`);
      if (organizations.length === 0) context.note('No organization yet: kith org create makes one');
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
