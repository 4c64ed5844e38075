/** `kith token`: API tokens. */
import type { Command } from 'commander';
import type { NewUserToken } from '../provision/tokens.ts';
import { withExamples } from './help.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import type { Answering } from './output.ts';

interface CreateOptions extends NewUserToken {
  readonly org?: string;
}

/** Adds `kith token` with its commands. */
export function addTokenCommands(program: Command, answer: Answering): void {
  const token = program.command('token').description('make, list and revoke API tokens');
  withExamples(token, ['kith token create --email ada@acme.test --name laptop', 'kith token revoke TOKEN_ID']);

  const create = token.command('create').description('make a token; it is shown here and never again');
  withExamples(create, [
    'kith token create --email ada@acme.test --name laptop',
    'kith token create --email ada@acme.test --name nightly --expires-in 90d',
  ]);
  create
    .addOption(organizationOption())
    .requiredOption('--email <address>', 'the user on whose behalf it acts')
    .requiredOption('--name <name>', 'what it is for')
    .option('--scopes <a,b>', 'what it is good for (default: mcp)', (text: string) => text.split(','))
    .option('--expires-in <time>', 'for example 90d or 12h (default: it does not expire)')
    .action(({ org, ...input }: CreateOptions) =>
      answer(async (context) => {
        const { createToken } = await import('../provision/tokens.ts');
        return { value: await createToken(context.provision, await context.organization(org), input) };
      }),
    );

  const list = token.command('list').description("list an organization's tokens, revoked ones too");
  withExamples(list, ['kith token list', 'kith token list --json']);
  list.addOption(organizationOption()).action(({ org }: OrganizationChoice) =>
    answer(async (context) => {
      const { listTokens } = await import('../provision/tokens.ts');
      return { value: await listTokens(context.provision, await context.organization(org)) };
    }),
  );

  const revoke = token.command('revoke').description('revoke a token; the next request with it gets 401');
  withExamples(revoke, ['kith token revoke 01890a5d-ac96-774b-bcce-b302099a8057']);
  revoke.argument('<token-id>', 'its id, as `kith token list` shows it').action((id: string) =>
    answer(async (context) => {
      const { revokeToken } = await import('../provision/tokens.ts');
      return { value: await revokeToken(context.provision, id) };
    }),
  );
}
