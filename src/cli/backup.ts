/** `kith backup` and `kith restore`: organizations as a file. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { errors, quoted } from '../errors.ts';
import { withExamples } from './help.ts';
import type { Answering, Onlooking } from './output.ts';

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
    'kith backup --org ID --file acme.kith',
    'kith backup --verify acme.kith',
  ]);
  backup
    .option('--file <path>', 'the file that is written, and read back')
    .option('--org <id>', 'only this organization')
    .option('--passphrase-file <path>', 'what seals the data keys; - reads standard input')
    .option('--verify <path>', 'write nothing; check this file and say what it holds')
    .action(({ file, org, passphraseFile, verify }: BackupOptions) => {
      if (verify !== undefined) return look(() => inspect(verify));
      if (file === undefined) throw errors.validation('--file is needed: the file that is written');
      return answer(async ({ provision }) => {
        const { backUp } = await import('../transfer/backup.ts');
        const passphrase = await readPassphrase(passphraseFile);
        const contents = await backUp(provision, {
          path: file,
          ...(org !== undefined && { organizationId: org }),
          ...(passphrase !== undefined && { passphrase }),
        });
        return { value: { file, ...contents } };
      });
    });
}

async function inspect(path: string) {
  const { readContents } = await import('../transfer/contents.ts');
  return { value: { file: path, ...(await readContents(path)) } };
}

function addRestore(program: Command, answer: Answering): void {
  const restoring = program
    .command('restore')
    .description('bring organizations back from a backup; nobody has a token for them yet');
  withExamples(restoring, [
    'kith restore --file all.kith --passphrase-file secret.txt',
    'kith restore --file acme.kith --new-id --datasource east',
    'kith token create --org ID --email ada@acme.test --name laptop',
  ]);
  restoring
    .requiredOption('--file <path>', 'a backup')
    .option('--only <id>', 'of several organizations in the file this one')
    .option('--org <id>', 'the id it gets (default: the one it had)')
    .option('--new-id', 'give it an id that nobody has')
    .option('--datasource <name>', 'where it is placed (default: as it was, else main)')
    .option('--passphrase-file <path>', 'what the backup was sealed with; - reads standard input')
    .action(({ file, only, org, newId, datasource, passphraseFile }: RestoreOptions) => {
      if (newId && org !== undefined) throw errors.validation('--org and --new-id exclude each other');
      return answer(async ({ provision, note }) => {
        const { restore } = await import('../transfer/restore.ts');
        const as = newId ? 'new' : org;
        const passphrase = await readPassphrase(passphraseFile);
        const organizations = await restore(provision, {
          path: file,
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

async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) throw errors.notFound(`${quoted(path)} cannot be read`);
  const passphrase = content.replace(/\r?\n$/, '');
  if (passphrase.length < 8) throw errors.validation('A passphrase has at least eight characters');
  return passphrase;
}
