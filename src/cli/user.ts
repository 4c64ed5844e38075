/** `kith user`: users of an organization. */
import { Option, type Command } from 'commander';
import type { NewUser } from '../provision/users.ts';
import { withExamples } from './help.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import type { Answering } from './output.ts';

interface CreateOptions extends NewUser {
  readonly org?: string;
}

interface UpdateOptions {
  readonly org?: string;
  readonly email: string;
  readonly role?: string;
  readonly active?: 'true' | 'false';
  readonly name?: string;
}

/** Adds `kith user` with its commands. */
export function addUserCommands(program: Command, answer: Answering): void {
  const user = program.command('user').description("make, list and change an organization's users");
  const examples = ["kith user create --name 'Bob Ray' --email bob@acme.test --role Member"];
  withExamples(user, ['kith user list', ...examples]);

  const create = user.command('create').description('make a user and the first token');
  withExamples(create, examples);
  create
    .addOption(organizationOption())
    .requiredOption('--name <name>', 'the name of the user')
    .requiredOption('--email <address>', 'the e-mail address of the user')
    .requiredOption('--role <name>', 'Admin, Member, Viewer, or a role of your own')
    .option('--inactive', 'tokens of the user do not work until the user is made active')
    .action(({ org, ...input }: CreateOptions) =>
      answer(async (context) => {
        const { createUser } = await import('../provision/users.ts');
        return { value: await createUser(context.provision, await context.organization(org), input) };
      }),
    );

  const list = user.command('list').description('list the users, oldest first');
  withExamples(list, ['kith user list', 'kith user list --org Acme --json']);
  list.addOption(organizationOption()).action(({ org }: OrganizationChoice) =>
    answer(async (context) => {
      const { listUsers } = await import('../provision/users.ts');
      return { value: await listUsers(context.provision, await context.organization(org)) };
    }),
  );

  const update = user.command('update').description('change a user; what is not named stays');
  withExamples(update, [
    'kith user update --email bob@acme.test --role Admin',
    'kith user update --email bob@acme.test --active false',
  ]);
  update
    .addOption(organizationOption())
    .requiredOption('--email <address>', 'whom to change')
    .option('--role <name>', 'the new role')
    .addOption(
      new Option('--active <true|false>', 'false: the tokens of the user stop working at once').choices([
        'true',
        'false',
      ]),
    )
    .option('--name <name>', 'the new name')
    .action(({ org, email, active, ...changes }: UpdateOptions) =>
      answer(async (context) => {
        const { updateUser } = await import('../provision/users.ts');
        const all = { ...changes, ...(active !== undefined && { active: active === 'true' }) };
        return { value: await updateUser(context.provision, await context.organization(org), email, all) };
      }),
    );
}
