/** Finds the organization of a command: by id, by name, or the only one. */
import { Option } from 'commander';
import { errors, quoted, type KithError } from '../errors.ts';
import { isUuid } from '../lib/id.ts';
import { didYouMean } from '../lib/nearest.ts';
import { shortList } from '../lib/short-list.ts';
import type { ProvisionDeps } from '../provision/deps.ts';

type Directory = ProvisionDeps['directory'];
type Organization = Awaited<ReturnType<Directory['organizations']>>[number];

/** The option that names it. */
export interface OrganizationChoice {
  readonly org?: string;
}

/** The option `--org`, by id or name. */
export function organizationOption(): Option {
  return optionWith('KITH_ORG, else the only one');
}

/** The option `--org` of commands that also work for a token. */
export function organizationOrTokenOption(): Option {
  return optionWith('that of KITH_TOKEN, else KITH_ORG, else the only one');
}

function optionWith(byDefault: string): Option {
  return new Option('--org <name>', `the organization, by name or id (default: ${byDefault})`);
}

/** The id of the organization `wanted`, or of the only one. Throws NOT_FOUND if there is none, VALIDATION_ERROR if it is ambiguous. */
export async function organizationMeant(directory: Directory, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) {
    const isId: boolean = isUuid(wanted);
    return isId ? (await directory.requireOrganization(wanted)).id : byName(directory, wanted.trim());
  }
  const [only, ...others] = await directory.organizations();
  if (only === undefined) throw errors.notFound('There is no organization yet: kith org create makes one');
  if (others.length === 0) return only.id;
  const { organizations } = await named(directory);
  throw errors.validation(`--org is needed, since there are ${organizations.length}: ${listOf(organizations)}`);
}

/** By exact name, or else ignoring case. */
async function byName(directory: Directory, wanted: string): Promise<string> {
  const { organizations, away } = await named(directory);
  const exact = organizations.filter(({ name }) => name === wanted);
  const found =
    exact.length > 0 ? exact : organizations.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [only, ...others] = found;
  if (only === undefined) throw unknown(wanted, organizations, away);
  if (others.length === 0) return only.id;
  throw errors.validation(`${found.length} organizations are called so; give the id of one: ${listOf(found)}`);
}

async function named(directory: Directory) {
  const { organizationsByName } = await import('../provision/organization-names.ts');
  return organizationsByName(directory);
}

function unknown(wanted: string, organizations: readonly Organization[], away: readonly string[]): KithError {
  if (wanted === '') return errors.notFound('--org is empty; perhaps a variable is not set');
  const names = organizations.map(({ name }) => name);
  const hint = didYouMean(wanted, names);
  const there = names.length > 0 && hint === '' ? `; there is: ${listOf(organizations)}` : hint;
  const silent = away.map((name) => `; datasource ${name} does not answer, and names on it may have changed`).join('');
  return errors.notFound(`There is no organization ${quoted(wanted)}${there}${silent}`);
}

const mostTold = 20;

function listOf(organizations: readonly Organization[]): string {
  return shortList(
    organizations.map(({ name, id }) => `${quoted(name)} (${id})`),
    mostTold,
  );
}
