/** `kith role`: lists roles; their permissions are in the manifest. */
import type { Command } from 'commander';
import { withExamples } from './help.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import type { Answering } from './output.ts';

/** Adds `kith role` with its commands. */
export function addRoleCommands(program: Command, answer: Answering): void {
  const role = program.command('role').description("an organization's roles; kith pull shows what they allow");
  const examples = ['kith role list', 'kith role list --org Acme --json'];
  withExamples(role, examples);

  const list = role.command('list').description('list the roles, and how many users have each');
  withExamples(list, examples);
  list.addOption(organizationOption()).action(({ org }: OrganizationChoice) =>
    answer(async (context) => {
      const { listRoles } = await import('../provision/roles.ts');
      return { value: await listRoles(context.provision, await context.organization(org)) };
    }),
  );
}
