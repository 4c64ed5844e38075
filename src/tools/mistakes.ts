/** What an agent is told of a call that is wrong: what would be right, and one call that is. */
import { errors, KithError, quoted, shortened } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Argument, Arguments, Given } from './arguments.ts';

/** The part of a tool's table that mistakes are about. */
interface Table {
  readonly name: string;
  readonly input: Arguments;
  readonly actions: Readonly<
    Record<
      string,
      { readonly needs?: readonly string[]; readonly takes?: readonly string[]; readonly shows?: readonly string[] }
    >
  >;
  readonly choose?: unknown;
}

/** VALIDATION_ERROR for an action that the tool does not have, with the nearest one and a call of it. */
export function unknownAction(table: Table, args: Given): unknown {
  const known = Object.keys(table.actions);
  const given = typeof args.action === 'string' ? args.action : JSON.stringify(args.action);
  const meant = didYouMean(given, known);
  const message = `${table.name} has no action ${quoted(given)}${meant}; it has: ${known.join(', ')}`;
  const nearest = known.find((name) => meant.includes(`"${name}"`)) ?? known[0] ?? '';
  return withExample(table, nearest, {}, errors.validation(message, [{ field: 'action', message }], known));
}

/** Of what no action knows. `own` are the arguments of the one that is meant. */
export function unknownArgument(table: Table, action: string, name: string, own: readonly string[]): KithError {
  const known = Object.keys(table.input);
  const message = `${quoted(name)} is no argument of ${table.name}${didYouMean(name, own) || didYouMean(name, known)}`;
  return errors.validation(message, [{ field: shortened(name), message }], table.choose ? known : ['action', ...own]);
}

/** Of what other actions take. */
export function notTaken(table: Table, action: string, name: string, own: readonly string[]): KithError {
  const takers = Object.entries(table.actions).flatMap(([one, { needs = [], takes = [] }]) =>
    [...needs, ...takes].includes(name) ? [one] : [],
  );
  const message = `${name} belongs to ${takers.join(', ')}, not to ${action}${didYouMean(name, own)}`;
  return errors.validation(message, [{ field: name, message }], own);
}

/** The same error with a call that would be right, where it is the arguments that are wrong. */
export function withExample(table: Table, action: string, args: Given, error: unknown): unknown {
  if (!(error instanceof KithError) || !isOfArguments(table, args, error)) return error;
  const { code, message, fieldErrors, availableValues } = error;
  return new KithError(code, `${message}. For example: ${exampleOf(table, action, args, error)}`, {
    ...(fieldErrors && { fieldErrors }),
    ...(availableValues && { availableValues }),
  });
}

/** Rather than in what is written: of that an example would say nothing. */
function isOfArguments({ input }: Table, args: Given, { code, fieldErrors }: KithError): boolean {
  if (code === 'MISSING_REQUIRED_FIELD' || code === 'INVALID_ARGUMENT') return true;
  if (code !== 'VALIDATION_ERROR') return false;
  return !fieldErrors || fieldErrors.every(({ field }) => Object.hasOwn(input, field) || Object.hasOwn(args, field));
}

/** What is longer is left out, or stands for itself. */
const longestValue = 80;

/** What the action needs, and what of it was given rightly or meant to be, as JSON. */
function exampleOf(table: Table, action: string, args: Given, error: KithError): string {
  const { needs = [], takes = [], shows = [] } = table.actions[action] ?? {};
  const { wrong, meant } = mistakeIn(error);
  const example: Record<string, Json> = table.choose ? {} : { action };
  for (const [name, argument] of Object.entries(table.input)) {
    if (!needs.includes(name) && !takes.includes(name)) continue;
    const given = args[meant === name && wrong !== undefined ? wrong : name] ?? null;
    if (name === wrong) example[name] = meant ?? sampleOf(name, argument);
    else if (given !== null && given !== '' && JSON.stringify(given).length <= longestValue) example[name] = given;
    else if (needs.includes(name) || shows.includes(name)) example[name] = sampleOf(name, argument);
  }
  return JSON.stringify(example);
}

/** The argument that is wrong or missing, and what was probably meant: a value of it, or another name. */
function mistakeIn({ fieldErrors, message }: KithError): { readonly wrong?: string; readonly meant?: string } {
  const wrong = fieldErrors?.[0]?.field ?? /^(\w+)/.exec(message)?.[1];
  const meant = /did you mean "([^"]+)"/.exec(message)?.[1];
  return { ...(wrong !== undefined && { wrong }), ...(meant !== undefined && { meant }) };
}

const samples: Readonly<Record<string, Json>> = {
  object_name: 'contacts',
  object_type: 'contacts',
  object_types: ['contacts'],
  query: 'anna',
  title: 'Call Anna',
  content: 'Met Anna',
  values: { job_title: 'CEO' },
  function: 'COUNT',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  field_name: 'job_title',
  field_value: 'CEO',
  chart_type: 'indicator',
  to: ['anna@globex.test'],
  subject: 'Offer',
  body: 'Hello Anna',
  data: 'first_name,last_name\nAnna,Berg',
};

function sampleOf(name: string, { enum: names, type, default: usual }: Argument): Json {
  const sample = samples[name] ?? usual ?? names?.[0];
  if (sample !== undefined) return sample;
  const place = `<${name.replace(/s$/, '')}>`;
  if (type === 'array') return [place];
  if (type === 'integer') return 1;
  return type === 'object' ? {} : place;
}
