/** The command line: `kith NOUN VERB`. Data goes to standard output, messages to standard error. */
import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { KithError } from '../errors.ts';
import { systemFailure } from '../lib/system-failure.ts';
import { addAccountCommands } from './account.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addChangesCommands } from './changes.ts';
import { addCompleteCommand } from './complete.ts';
import { addCompletionCommand } from './completion.ts';
import { addConfigCommand } from './config.ts';
import { addDatasourceCommands } from './datasource.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExplainCommand } from './explain.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { addExportCommand } from './export.ts';
import { messageInFlags } from './flags.ts';
import { helpWidth, listVerbsWhereMissing, verbsOf, withExamples } from './help.ts';
import { addImportCommand } from './import.ts';
import { addIngestCommand } from './ingest.ts';
import { addKeysCommands } from './keys.ts';
import { addManifestCommands } from './manifest.ts';
import { addMcpCommand } from './mcp.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOrgCommands } from './org.ts';
import { terminalWidth, textOf, type Answer, type Answering, type Asking, type Onlooking } from './output.ts';
import { addRecordCommands } from './record.ts';
import { addRoleCommands } from './role.ts';
import { addSandboxCommands } from './sandbox.ts';
import { addServeCommand } from './serve.ts';
import { addTokenCommands } from './token.ts';
import { addTrashCommands } from './trash.ts';
import { addTypesCommand } from './types.ts';
import { addUserCommands } from './user.ts';
import { versionLine } from './version.ts';

/** Runs the command of `args` and prints its outcome; returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const json = hasFlag(args, '--json');
  let outcome: Answer | undefined;
  const answer: Answering = async (work) => {
    const { withContext } = await import('./context.ts');
    outcome = await withContext(note, work);
  };
  const look: Onlooking = async (work) => {
    const { withOnlooker } = await import('./context.ts');
    outcome = await withOnlooker(note, work);
  };
  let isAboutRecords = false;
  const ask: Asking = async (org, work) => {
    isAboutRecords = true;
    const { withClient } = await import('./client.ts');
    outcome = await withClient(note, org, work);
  };
  let running: Command | undefined;
  const program = buildProgram(answer, look, ask, json).hook(
    'preAction',
    (_program, command) => void (running = command),
  );
  try {
    await program.parseAsync(meant(args), { from: 'user' });
    if (!outcome) return 0;
    await print(json ? `${JSON.stringify(outcome.value)}\n` : (outcome.text ?? textOf(outcome.value, terminalWidth())));
    return outcome.exitCode ?? 0;
  } catch (error) {
    if (error instanceof CommanderError) return await failUsage(error, json, verbsOf(program, args));
    return await fail(error, running, json, isAboutRecords);
  }
}

/** The version is asked for in several ways. */
function meant(args: readonly string[]): readonly string[] {
  const [only = '--help', ...more] = args;
  return more.length === 0 && (only === '-v' || only === 'version') ? ['--version'] : [only, ...more];
}

function buildProgram(answer: Answering, look: Onlooking, ask: Asking, json: boolean): Command {
  const program = new Command('kith')
    .description('The CRM data service: customer data over one REST interface, under roles')
    .version(versionLine(), '-V, --version', 'print the version')
    .option('--json', 'print one JSON document, errors too')
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      ...(json && { outputError() {} }),
    })
    .configureHelp({ showGlobalOptions: true });
  withExamples(program, [
    'kith serve',
    "kith org create --name Acme --admin-name 'Ada King' --admin-email ada@acme.test",
    'kith import --object contacts --file contacts.csv',
  ]);
  program.addHelpText('after', '\nMore: docs/cli.md');
  addServeCommand(program, json);
  addMigrateCommand(program, answer, look);
  addDoctorCommand(program, look);
  addConfigCommand(program, look);
  addKeysCommands(program, answer);
  addOrgCommands(program, answer, json);
  addUserCommands(program, answer);
  addRoleCommands(program, answer);
  addTokenCommands(program, answer);
  addDatasourceCommands(program, answer);
  addRecordCommands(program, ask);
  addChangesCommands(program, ask);
  addImportCommand(program, answer);
  addIngestCommand(program, answer);
  addAccountCommands(program, answer);
  addSandboxCommands(program, answer);
  addExportCommand(program, answer, json);
  addManifestCommands(program, answer);
  addTypesCommand(program, answer);
  addMcpCommand(program, look, note);
  addAuditCommands(program, answer);
  addTrashCommands(program, answer);
  addBackupCommands(program, answer, look);
  addExplainCommand(program, answer);
  addCompleteCommand(program, look);
  addCompletionCommand(program);
  listVerbsWhereMissing(program);
  return program;
}

/** Whether a flag is given, even if the other arguments are invalid. */
function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(flag);
}

/** Prints the error. For record commands the JSON names fields, as REST does; for others it names flags. */
async function fail(
  error: unknown,
  command: Command | undefined,
  json: boolean,
  isAboutRecords: boolean,
): Promise<number> {
  const exitCode = error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : exitCodeOf(error);
  const message = (!(error instanceof KithError) && systemFailure(error)) || messageInFlags(error, command);
  const code =
    error instanceof KithError ? error.code : exitCode === exitCodes.usage ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR';
  const details = isAboutRecords && error instanceof KithError ? error : undefined;
  const body = {
    code,
    message,
    ...(details?.fieldErrors && { field_errors: details.fieldErrors }),
    ...(details?.availableValues && { available_values: details.availableValues }),
  };
  if (json) await print(`${JSON.stringify(body)}\n`);
  else note(`${styleText('red', 'error:', { stream: process.stderr })} ${message}${available(error)}`);
  return exitCode;
}

/** Prints a usage error as JSON; Commander has printed its text. */
async function failUsage(error: CommanderError, json: boolean, verbs: string): Promise<number> {
  if (error.exitCode === 0) return 0;
  const message =
    error.code === 'commander.help'
      ? `A command is missing${verbs}`
      : error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (json) await print(`${JSON.stringify({ code: 'VALIDATION_ERROR', message })}\n`);
  return exitCodes.usage;
}

function available(error: unknown): string {
  const values = error instanceof KithError ? error.availableValues : undefined;
  return values && values.length > 0 ? `\navailable: ${values.join(', ')}` : '';
}

/** Prints a message besides the outcome. */
export function note(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Resolves when the text is written, so that the process may end. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
