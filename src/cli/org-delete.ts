/** `kith org delete`: asks for confirmation, and makes a backup first if requested. */
import type { Command } from 'commander';
import { errors, quoted } from '../errors.ts';
import { ask, isAtTerminal } from './ask.ts';
import type { Context } from './context.ts';
import { withExamples } from './help.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import type { Answer, Answering } from './output.ts';
import { readPassphrase } from './passphrase.ts';
import { noteSharedFolder } from './written-file.ts';

interface DeleteOptions extends OrganizationChoice {
  readonly confirm?: string;
  readonly export?: string;
  readonly passphraseFile?: string;
}

/** Adds `kith org delete`; `json` selects JSON answers. */
export function addOrgDelete(org: Command, answer: Answering, json: boolean): void {
  const remove = org.command('delete').description('delete an organization with all that is in it, for good');
  withExamples(remove, [
    'kith org delete --org Acme --export acme.kith --passphrase-file secret.txt',
    'kith org delete --org Acme --confirm Acme',
  ]);
  remove
    .addOption(organizationOption())
    .option('--confirm <name>', 'its name, where no terminal can be asked for it')
    .option('--export <path>', 'write a backup first: a new file, which kith restore takes')
    .option('--passphrase-file <path>', 'of the backup, as kith backup has it')
    .action((options: DeleteOptions) => answer((context) => deleteOne(context, options, json)));
}

async function deleteOne(context: Context, options: DeleteOptions, json: boolean): Promise<Answer> {
  const { provision } = context;
  const { organizationsByName } = await import('../provision/organization-names.ts');
  const { deleteOrganization } = await import('../provision/delete-organization.ts');
  const id = await context.organization(options.org);
  const { organizations } = await organizationsByName(provision.directory);
  const name = organizations.find((one) => one.id === id)?.name ?? '';
  if (options.passphraseFile !== undefined && options.export === undefined)
    throw errors.validation('--passphrase-file encrypts the backup; use it with --export');
  await confirm(name, options.confirm, json, context.interruption);
  if (options.export === undefined) return { value: await deleteOrganization(provision, id, name) };
  const { backUp } = await import('../transfer/backup.ts');
  const passphrase = await readPassphrase(options.passphraseFile, context);
  await noteSharedFolder(options.export, context.note);
  const signal = context.interruption;
  const request = { path: options.export, organizationId: id, signal, ...(passphrase !== undefined && { passphrase }) };
  const { bytes } = await backUp(provision, request);
  signal.throwIfAborted();
  const deleted = await deleteOrganization(provision, id, name);
  return { value: { ...deleted, file: options.export, bytes } };
}

/** Throws VALIDATION_ERROR unless the name was given as a flag or typed. */
async function confirm(
  name: string,
  given: string | undefined,
  json: boolean,
  interruption: AbortSignal,
): Promise<void> {
  const mayAsk = !json && isAtTerminal();
  if (given === undefined && !mayAsk)
    throw errors.validation(`Nothing is deleted without the name of the organization: --confirm ${quoted(name)}`);
  const typed = given ?? (await ask(`${name} and all that is in it goes for good. Type its name: `, interruption));
  interruption.throwIfAborted();
  if (typed !== name) throw errors.validation(`Nothing was deleted: the organization is called ${quoted(name)}`);
}
