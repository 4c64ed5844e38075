/** Errors of wrong calls: what would be right, with an example call. */
import { errors, KithError, quoted, shortened, type ErrorCode } from '../errors.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import {
  filterGroup,
  filters,
  presentational,
  sort,
  type Argument,
  type Arguments,
  type ArgumentValues,
} from './arguments.ts';
import { mistakeIn, namesNoField, objectIn, withMeant, withRightValues, type Mistake } from './correcting.ts';
import { withWholeFilters, isFilter } from './example-conditions.ts';
import { placeOf, sampleOf, sourcesOf } from './samples.ts';

/** The parts of a tool's table that errors use. */
interface Table {
  readonly name: string;
  readonly input: Arguments;
  readonly actions: Readonly<
    Record<
      string,
      {
        readonly needs?: readonly string[];
        readonly takes?: readonly string[];
        readonly shows?: readonly string[];
        readonly samples?: JsonObject;
        readonly errorNames?: Readonly<Record<string, string>>;
        adjustExample?(example: JsonObject, given: ArgumentValues, error: KithError): JsonObject;
      }
    >
  >;
  readonly choose?: unknown;
}

/** The VALIDATION_ERROR for an unknown action, with the nearest one and an example of it. */
export function unknownAction(table: Table, args: ArgumentValues): unknown {
  const known = Object.keys(table.actions);
  const given = typeof args.action === 'string' ? args.action : JSON.stringify(args.action);
  const meant = didYouMean(given, known);
  const message = `${table.name} has no action ${quoted(given)}${meant}; it has: ${known.join(', ')}`;
  const nearest = known.find((name) => meant.includes(`"${name}"`)) ?? known[0] ?? '';
  return withExample(table, nearest, args, errors.validation(message, [{ field: 'action', message }], known));
}

/** The error for an argument that no action has. `own` are the arguments of the chosen action. */
export function unknownArgument(table: Table, action: string, name: string, own: readonly string[]): KithError {
  const known = Object.keys(table.input);
  const message = `${quoted(name)} is no argument of ${table.name}${didYouMean(name, own) || didYouMean(name, known)}`;
  return errors.validation(message, [{ field: shortened(name), message }], table.choose ? known : ['action', ...own]);
}

/** The error for an argument of another action. */
export function notTaken(table: Table, action: string, name: string, own: readonly string[]): KithError {
  const takers = Object.entries(table.actions).flatMap(([one, { needs = [], takes = [] }]) =>
    [...needs, ...takes].includes(name) ? [one] : [],
  );
  const message = `${name} belongs to ${takers.join(', ')}, not to ${action}${didYouMean(name, own)}`;
  return errors.validation(message, [{ field: name, message }], own);
}

/** Codes of argument errors, which get an example call. */
const ofArguments: ReadonlySet<ErrorCode> = new Set([
  'MISSING_REQUIRED_FIELD',
  'VALIDATION_ERROR',
  'INVALID_ARGUMENT',
  'INVALID_OBJECT',
  'INVALID_FIELD',
  'INVALID_OPERATION',
  'INVALID_CHANNEL',
]);

/** The error with an example call, or with the tool that supplies ids. */
export function withExample(table: Table, action: string, args: ArgumentValues, error: unknown): unknown {
  if (!(error instanceof KithError)) return error;
  const isOfAFew = error.code === 'RECORD_NOT_FOUND' && error.availableValues !== undefined;
  if (error.code === 'RECORD_NOT_FOUND' && !isOfAFew)
    return withMessage(error, `${error.message}${sourceOf(args, error)}`);
  if (!isOfAFew && !ofArguments.has(error.code)) return error;
  const plain = inTools(inArguments(error, table.actions[action]?.errorNames));
  const example = exampleOf(table, action, args, plain);
  return example === undefined
    ? plain
    : withMessage(plain, `${plain.message}. For example: ${JSON.stringify(example)}`);
}

/** The error with argument names in place of the input names at its start. */
function inArguments(error: KithError, names: Readonly<Record<string, string>> = {}): KithError {
  const renamedIn = (text: string) => {
    const found = Object.entries(names).find(([name]) =>
      name.endsWith('.') ? text.startsWith(name) : /^\w+/.exec(text)?.[0] === name,
    );
    return found ? found[1] + text.slice(found[0].length) : text;
  };
  return withMessage(
    error,
    error.message.split('; ').map(renamedIn).join('; '),
    error.fieldErrors?.map(({ field, message }) => ({ field: renamedIn(field), message: renamedIn(message) })),
  );
}

/** The message in the words of tools instead of requests. */
function inTools(error: KithError): KithError {
  const inWords = (message: string) =>
    message
      .replaceAll(
        /GET \/api\/v1\/users\?search=(\S+) looks for it/g,
        (_, search: string) =>
          `crm_get_schema with ${JSON.stringify({ action: 'users', search: decodeURIComponent(search) })} looks for it`,
      )
      .replaceAll(
        /GET \/api\/v1\/records\/(\w+)\?search=(\S+) looks for it/g,
        (_, object_name: string, search: string) =>
          `crm_find_records with ${JSON.stringify({ object_name, search: decodeURIComponent(search) })} looks for it`,
      );
  const { message, fieldErrors } = error;
  const [wrong] = fieldErrors ?? [];
  const source = wrong?.message.includes('must be an id, ') ? sourceHint(sourcesOf(wrong.field)) : '';
  return withMessage(
    error,
    `${inWords(message)}${source}`,
    fieldErrors?.map(({ field, message: one }) => ({ field, message: inWords(one) })),
  );
}

function withMessage(error: KithError, message: string, fieldErrors = error.fieldErrors): KithError {
  const { code, availableValues, cause } = error;
  return new KithError(code, message, {
    ...(fieldErrors && { fieldErrors }),
    ...(availableValues && { availableValues }),
    ...(cause !== undefined && { cause }),
  });
}

/** The tool that supplies ids for the argument that the message quotes. */
function sourceOf(args: ArgumentValues, { message }: KithError): string {
  const [name] = Object.entries(args).find(([, value]) =>
    [value].flat().some((id) => typeof id === 'string' && id !== '' && message.includes(JSON.stringify(id))),
  ) ?? [''];
  return sourceHint(sourcesOf(name));
}

const sourceHint = (sources: readonly string[]) => sources.map((source) => `; ids come from ${source}`).join('');

/** Longer values are left out of examples, or replaced by a placeholder. */
const longestValue = 400;

/** Structured arguments, which a suggested name cannot replace. */
const structures: ReadonlySet<Argument> = new Set([filters, filterGroup, sort]);

/** Whether the records are named by filters or by a single id, which exclude a list of ids. */
function isNamedOtherwise(name: string, { filters: where, record_id: id }: ArgumentValues): boolean {
  return name === 'record_ids' && ((where ?? '') !== '' || (id ?? '') !== '');
}

/** Arguments that belong to records named by filters. */
const ofMatches: ReadonlySet<string> = new Set(['filters', 'expected_count']);

/** An example of the action with the arguments that were right or could be corrected; undefined if unknown. */
function exampleOf(table: Table, action: string, args: ArgumentValues, error: KithError): JsonObject | undefined {
  const { needs = [], takes = [], shows = [] } = table.actions[action] ?? {};
  const mistake = mistakeIn(error);
  const corrected = withMeant(args, mistake);
  const whole = renamed(table, corrected ?? args, mistake);
  const { filters: where = null, ...others } = mistake.isOfObject ? withoutObject(whole) : whole;
  // Without a valid filter the records are named by id.
  const isToldByIds = shows.includes('record_ids') && !isFilter(where);
  const given: ArgumentValues = where === null || isToldByIds ? others : { ...others, filters: where };
  const isMissing = error.code === 'MISSING_REQUIRED_FIELD';
  const paths = [mistake.name, ...(error.fieldErrors ?? []).map(({ field }) => field)];
  const wrongArguments = new Set(paths.map((path) => path.split('.')[0] ?? ''));
  const right = Object.fromEntries(Object.entries(given).filter(([name]) => !wrongArguments.has(name)));
  const example: Record<string, Json> = table.choose ? {} : { action };
  for (const [name, argument] of Object.entries(table.input)) {
    if (name === 'action' && !table.choose) continue;
    if (isToldByIds && ofMatches.has(name)) continue;
    const hasNoField = namesNoField(name, given[name] ?? null, mistake);
    const isWrong = hasNoField || (!corrected && wrongArguments.has(name));
    const isNeeded = needs.includes(name) || (isMissing && mistake.name === name && !mistake.isWithin);
    if (!isNeeded && !takes.includes(name) && !presentational.has(name)) continue;
    const value = given[name] ?? null;
    const sample = () => sampleIn(table.actions[action]?.samples, { ...right, ...example }, name, argument);
    const isShown = isNeeded || (shows.includes(name) && !isNamedOtherwise(name, given));
    const place = () => (isShown ? placeOf(name, argument) : undefined);
    const meant = structures.has(argument) || hasNoField ? undefined : (mistake.nearest ?? mistake.first);
    const isGiven = value !== null && value !== '' && JSON.stringify(value).length <= longestValue;
    const asGiven = () => (name === 'values' ? withRightValues(objectIn(value), error) : value);
    const instead = () => meant ?? sample() ?? asArgument(argument, mistake.such) ?? place();
    const missing = () => place() && (sample() ?? place());
    const found = isWrong ? instead() : isGiven ? asGiven() : missing();
    if (found !== undefined) example[name] = found;
  }
  const adjusted = withWholeFilters(table.actions[action]?.adjustExample?.(example, args, error) ?? example, mistake);
  return isSame(adjusted, args) ? undefined : adjusted;
}

/** The value as the argument takes it: in a list if it is a list. */
function asArgument({ type }: Argument, value: Json | undefined): Json | undefined {
  return value !== undefined && type === 'array' ? [value] : value;
}

/** Arguments that fit one object only. */
const ofItsObject: ReadonlySet<string> = new Set(
  (
    'object_name record_id record_ids ids values records data match fields filters sort sort_by group_by field function ' +
    'aggregation metric_field date_field filter_field filter_operator filter_value field_name field_value ' +
    'relation_field target_ids master_id duplicate_ids'
  ).split(' '),
);

function withoutObject(given: ArgumentValues): ArgumentValues {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !ofItsObject.has(name)));
}

/** The arguments with a misspelt name corrected. */
function renamed({ input }: Table, args: ArgumentValues, { name, nearest }: Mistake): ArgumentValues {
  if (nearest === undefined || !Object.hasOwn(input, nearest) || Object.hasOwn(args, nearest)) return args;
  return Object.hasOwn(args, name) ? { ...args, [nearest]: args[name] ?? null } : args;
}

/** A sample value, if the action's samples fit the example's object. */
function sampleIn(
  samples: JsonObject = {},
  example: ArgumentValues,
  name: string,
  argument: Argument,
): Json | undefined {
  const { object_name: object } = samples;
  const isItsObject = object === undefined || (example['object_name'] ?? object) === object;
  const own = isItsObject && Object.hasOwn(samples, name) ? samples[name] : undefined;
  return own ?? sampleOf(name, argument, example);
}

function isSame(example: ArgumentValues, args: ArgumentValues): boolean {
  const textOf = (given: ArgumentValues) =>
    JSON.stringify(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return textOf(example) === textOf(args);
}
