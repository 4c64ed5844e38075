/** `kith plan`, `kith apply`, `kith pull`: the workspace as one file. */
import { Option, type Command } from 'commander';
import { errors, KithError } from '../errors.ts';
import { readGiven, type GivenLimits } from '../lib/given-file.ts';
import type { JsonObject } from '../lib/json.ts';
import { changesText } from './changes-text.ts';
import type { Context } from './context.ts';
import { withExamples } from './help.ts';
import { organizationOption } from './organization.ts';
import type { Answer, Answering } from './output.ts';
import { unreadable } from './unreadable.ts';

interface FileOptions {
  readonly org?: string;
  readonly file: string;
  readonly allowDestroy?: boolean;
  readonly allowLock?: boolean;
}

interface PullOptions {
  readonly org?: string;
  readonly format: 'json' | 'yaml';
}

/** Adds `kith plan`, `kith apply` and `kith pull`. */
export function addManifestCommands(program: Command, answer: Answering): void {
  const plan = program.command('plan').description('show what a manifest would change, changing nothing');
  withExamples(plan, ['kith plan --file workspace.yaml']);
  withFile(plan).action((options: FileOptions) => answer((context) => perform(context, options, true)));

  const apply = program.command('apply').description('change a workspace to what a manifest says, in one transaction');
  withExamples(apply, ['kith apply --file workspace.yaml', 'kith pull --org Acme | kith apply --org Globex --file -']);
  withFile(apply)
    .option('--allow-destroy', 'also where rows lose values')
    .option('--allow-lock', 'also where tables are locked for more than a second')
    .action((options: FileOptions) => answer((context) => perform(context, options, false)));

  const pull = program.command('pull').description('print a workspace as a manifest');
  withExamples(pull, ['kith pull > workspace.json', 'kith pull --format yaml > workspace.yaml']);
  pull
    .addOption(organizationOption())
    .addOption(new Option('--format <format>', 'how it is written').choices(['json', 'yaml']).default('json'))
    .action((options: PullOptions) => answer((context) => print(context, options)));
}

function withFile(command: Command): Command {
  return command
    .addOption(organizationOption())
    .requiredOption('--file <path>', 'the manifest, JSON or YAML; - for standard input');
}

async function perform(context: Context, options: FileOptions, dryRun: boolean): Promise<Answer> {
  const { org, file, allowDestroy = false, allowLock = false } = options;
  const { readManifestText, located, maxManifestBytes, manifestTooLong } = await import('../manifest/read.ts');
  const { applyManifest } = await import('../operations/workspace/manifest.ts');
  const source = readManifestText(
    await textOf(file, { maxBytes: maxManifestBytes, tooLong: manifestTooLong, signal: context.interruption }),
  );
  const desk = await context.desk(org);
  try {
    const input = { manifest: source.value, dry_run: dryRun, allow_destroy: allowDestroy, allow_lock: allowLock };
    const value = await desk.perform(applyManifest, input);
    return { value, text: changesText(value.changes, !dryRun) };
  } catch (error) {
    throw error instanceof KithError ? located(error, source) : error;
  }
}

async function print(context: Context, { org, format }: PullOptions): Promise<Answer> {
  const { pullManifest } = await import('../operations/workspace/manifest.ts');
  const desk = await context.desk(org);
  const value = await desk.perform(pullManifest, {});
  return { value, text: format === 'yaml' ? await yamlOf(value) : `${JSON.stringify(value, null, 2)}\n` };
}

/** The manifest as YAML. */
export async function yamlOf(value: JsonObject): Promise<string> {
  const { stringify } = await import('yaml');
  // Through JSON, to keep the digits of numbers and write repeated parts out.
  return stringify(JSON.parse(JSON.stringify(value)), { aliasDuplicateObjects: false, lineWidth: 0 });
}

async function textOf(file: string, limits: GivenLimits): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readGiven(file, limits);
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw errors.validation('The manifest is not valid UTF-8');
  }
}
