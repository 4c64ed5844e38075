/** `kith backup` and `kith restore`: organizations as a file. */
import type { Command } from 'commander';
import { errors } from '../errors.ts';
import type { Contents } from '../transfer/contents.ts';
import type { Onlooker } from './context.ts';
import { withExamples } from './help.ts';
import { terminalWidth, textOf, type Answer, type Answering, type Onlooking } from './output.ts';
import { readPassphrase } from './passphrase.ts';
import { noteSharedFolder } from './written-file.ts';

interface BackupOptions {
  readonly file?: string;
  readonly org?: string;
  readonly passphraseFile?: string;
  readonly verify?: string;
}

interface RestoreOptions {
  readonly file: string;
  readonly only?: string;
  readonly org?: string;
  readonly newId?: boolean;
  readonly datasource?: string;
  readonly passphraseFile?: string;
}

/** Adds `kith backup` and `kith restore`. */
export function addBackupCommands(program: Command, answer: Answering, look: Onlooking): void {
  addBackup(program, answer, look);
  addRestore(program, answer);
}

function addBackup(program: Command, answer: Answering, look: Onlooking): void {
  const backup = program
    .command('backup')
    .description('write all organizations, or one, into a file while the service runs');
  withExamples(backup, [
    'kith backup --file all.kith --passphrase-file secret.txt',
    'kith backup --org Acme --file acme.kith',
    'kith backup --verify acme.kith --passphrase-file secret.txt',
  ]);
  backup
    .option('--file <path>', 'the new file that is written, and read back')
    .option('--org <name>', 'only this organization, by name or id (default: all of them)')
    .option(
      '--passphrase-file <path>',
      'what proves the file and seals its keys (default: the root secret); - reads standard input',
    )
    .option('--verify <path>', 'write nothing; check this file and say what it holds')
    .action(({ file, org, passphraseFile, verify }: BackupOptions) => {
      if (verify !== undefined) return look((onlooker) => inspect(onlooker, verify, passphraseFile));
      if (file === undefined) throw errors.validation('--file is needed: the file that is written');
      return answer(async (context) => {
        const { provision, organization } = context;
        const { backUp } = await import('../transfer/backup.ts');
        const passphrase = await readPassphrase(passphraseFile, context);
        await noteSharedFolder(file, context.note);
        const contents = await backUp(provision, {
          path: file,
          signal: context.interruption,
          ...(org !== undefined && { organizationId: await organization(org) }),
          ...(passphrase !== undefined && { passphrase }),
        });
        return answerOf(file, contents);
      });
    });
}

async function inspect(onlooker: Onlooker, path: string, passphraseFile: string | undefined) {
  const { openKeyring } = await import('../kernel.ts');
  const { withArchive } = await import('../transfer/archive.ts');
  const { readContents } = await import('../transfer/contents.ts');
  const passphrase = await readPassphrase(passphraseFile, onlooker);
  const { config, interruption } = onlooker;
  const keyring = await openKeyring(config, passphrase === undefined);
  const contents = await withArchive(path, keyring, passphrase, (archive) => readContents(archive), interruption);
  return answerOf(path, contents);
}

/** What is in the file; for people a line for each organization, below those of the file. */
function answerOf(file: string, contents: Contents): Answer {
  const { madeAt, bytes, organizations } = contents;
  const width = terminalWidth();
  const text = textOf({ file, madeAt, bytes, organizations: organizations.length }, width);
  const lines = organizations.map(({ name, rows, datasource, secretsKept, id }) => {
    return { name, rows, datasource, secretsKept, id };
  });
  return { value: { file, ...contents }, text: `${text}\n${textOf({ organizations: lines }, width)}` };
}

function addRestore(program: Command, answer: Answering): void {
  const restoring = program
    .command('restore')
    .description('bring organizations back from a backup; nobody has a token for them yet');
  withExamples(restoring, [
    'kith restore --file all.kith --passphrase-file secret.txt',
    'kith restore --file acme.kith --new-id --datasource east',
    'kith token create --org Acme --email ada@acme.test --name laptop',
  ]);
  restoring
    .requiredOption('--file <path>', 'a backup')
    .option('--only <name>', 'of several organizations in the file this one, by name or id')
    .option('--org <id>', 'the id it gets (default: the one it had)')
    .option('--new-id', 'give it an id that nobody has')
    .option('--datasource <name>', 'where it is placed (default: as it was, else main)')
    .option('--passphrase-file <path>', 'what the backup was made with; - reads standard input')
    .action(({ file, only, org, newId, datasource, passphraseFile }: RestoreOptions) => {
      if (newId && org !== undefined) throw errors.validation('--org and --new-id exclude each other');
      return answer(async (context) => {
        const { provision, note } = context;
        const { restore } = await import('../transfer/restore.ts');
        const as = newId ? 'new' : org;
        const passphrase = await readPassphrase(passphraseFile, context);
        const organizations = await restore(provision, {
          path: file,
          signal: context.interruption,
          ...(only !== undefined && { only }),
          ...(as !== undefined && { as }),
          ...(datasource !== undefined && { datasource }),
          ...(passphrase !== undefined && { passphrase }),
        });
        note('Tokens are not restored; kith token create makes new ones');
        return { value: { organizations } };
      });
    });
}
