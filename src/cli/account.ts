/** `kith account`: connects mailboxes, calendars and messengers of users. [contract: Accounts] */
import type { Command } from 'commander';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answering } from './output.ts';

interface AddOptions {
  readonly org?: string;
  readonly user: string;
  readonly file: string;
}

interface ListOptions {
  readonly org?: string;
  readonly user?: string;
}

interface AccountOptions {
  readonly org?: string;
  readonly account: string;
  readonly purge?: boolean;
}

/** Adds `kith account` with its commands. */
export function addAccountCommands(program: Command, answer: Answering): void {
  const account = program.command('account').description('connect mailboxes, calendars and messengers of users');
  withExamples(account, [
    'kith account add --user ada@acme.test --file mailbox.json',
    'kith account list',
    'kith account sync --account ACCOUNT_ID',
  ]);

  addAddCommand(account, answer);
  addListCommand(account, answer);
  addSyncCommand(account, answer);
  addRemoveCommand(account, answer);
}

function addAddCommand(account: Command, answer: Answering): void {
  const add = account
    .command('add')
    .description('connect an account; its servers are tried first, and one that is known is brought up to date');
  withExamples(add, [
    'kith account add --user ada@acme.test --file mailbox.json',
    'kith account add --user ada@acme.test --file - < mailbox.json',
  ]);
  add
    .addOption(organizationOption())
    .requiredOption('--user <address>', 'whose account it is')
    .requiredOption('--file <path>', 'how to connect, as JSON; - for standard input')
    .action(({ org, user, file }: AddOptions) =>
      answer(async (context) => {
        const { readJsonFile } = await import('./json-file.ts');
        const { addAccount } = await import('../operations/conversations/accounts.ts');
        const given = await readJsonFile(file, context.interruption);
        const desk = await context.desk(org);
        return { value: await desk.perform(addAccount, { user, account: given }) };
      }),
    );
}

function addListCommand(account: Command, answer: Answering): void {
  const list = account.command('list').description('list connected accounts, never their secrets');
  withExamples(list, ['kith account list', 'kith account list --user ada@acme.test --json']);
  list
    .addOption(organizationOption())
    .option('--user <address>', 'those of this user alone')
    .action(({ org, user }: ListOptions) =>
      answer(async (context) => {
        const { listAccounts } = await import('../operations/conversations/accounts.ts');
        const desk = await context.desk(org);
        return { value: await desk.perform(listAccounts, { ...(user !== undefined && { user }) }) };
      }),
    );
}

function addSyncCommand(account: Command, answer: Answering): void {
  const sync = account.command('sync').description('bring in all that an account has, whether or not a service runs');
  withExamples(sync, ['kith account sync --account 01890a5d-ac96-774b-bcce-b302099a8057']);
  sync
    .addOption(organizationOption())
    .requiredOption('--account <id>', 'its id, as `kith account list` shows it')
    .action(({ org, account: id }: AccountOptions) =>
      answer(async (context) => {
        const { syncAccount } = await import('../operations/conversations/accounts.ts');
        const desk = await context.desk(org);
        return { value: await desk.perform(syncAccount, { id }) };
      }),
    );
}

function addRemoveCommand(account: Command, answer: Answering): void {
  const remove = account.command('remove').description('disconnect an account; what came by it stays, unless --purge');
  withExamples(remove, ['kith account remove --account 01890a5d-ac96-774b-bcce-b302099a8057 --purge']);
  remove
    .addOption(organizationOption())
    .requiredOption('--account <id>', 'its id, as `kith account list` shows it')
    .option('--purge', 'remove for good what came by it, too')
    .action(({ org, account: id, purge = false }: AccountOptions) =>
      answer(async (context) => {
        const { removeAccount } = await import('../operations/conversations/accounts.ts');
        const desk = await context.desk(org);
        return { value: await desk.perform(removeAccount, { id, purge }) };
      }),
    );
}
