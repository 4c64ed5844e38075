/** Arguments of tools: their short JSON schemas, and lenient reading of what agents send. */
import { errors, type KithError } from '../errors.ts';
import { Digits, isObject, storableJson, tooLong, type Json, type JsonObject } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';

/** The JSON schema of an argument, as shown. */
export interface Argument {
  /** Absent if any value is accepted. */
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly enum?: readonly (string | null)[];
  readonly items?: JsonObject;
  readonly properties?: JsonObject;
  readonly default?: Json;
  readonly maximum?: number;
  readonly minLength?: number;
  /** For a single name. */
  readonly pattern?: typeof oneName;
  readonly description?: string;
}

export type Arguments = Readonly<Record<string, Argument>>;
export type ArgumentValues = Readonly<Record<string, Json>>;

/** A text argument; `description` adds what its name does not say. */
export function text(description?: string): Argument {
  return { type: 'string', ...(description !== undefined && { description }) };
}

/** A text argument; null empties it. */
export function textOrNull(description?: string): Argument {
  return { type: ['string', 'null'], ...(description !== undefined && { description }) };
}

/** One of these names; `byDefault` applies if it is absent. */
export function oneOf(names: readonly string[], byDefault?: string): Argument {
  return { type: 'string', enum: names, ...(byDefault !== undefined && { default: byDefault }) };
}

/** Without a comma, which separates several names. */
export const oneName = '^[^,]*$';

const open = new WeakSet<Argument>();

/** Names that are suggestions: the operation accepts more, or reports unknown ones itself. */
export function someOf(names: readonly string[], byDefault?: string): Argument {
  const argument = oneOf(names, byDefault);
  open.add(argument);
  return argument;
}

/** A whole number, at most `maximum`; `byDefault` applies if it is absent. */
export function whole(byDefault?: number, maximum?: number): Argument {
  return {
    type: 'integer',
    ...(byDefault !== undefined && { default: byDefault }),
    ...(maximum !== undefined && { maximum }),
  };
}

export const yesOrNo: Argument = { type: 'boolean' };
export const texts: Argument = { type: 'array', items: { type: 'string' } };
export const values: Argument = { type: 'object' };

/** Any value. */
export const anything: Argument = {};

/** A list of objects. */
export function objects(description?: string): Argument {
  return { type: 'array', items: { type: 'object' }, ...(description !== undefined && { description }) };
}

/** Defined in the tool's `$defs`. The operations accept objects and JSON text. */
export const filterGroup: Argument = { $ref: '#/$defs/FilterGroup' };
export const filters: Argument = { type: ['object', 'string'], description: 'FilterGroup' };
export const sort: Argument = { type: ['array', 'string'], description: '[{"field","direction"}]' };
export const direction = (byDefault: 'asc' | 'desc') => oneOf(['asc', 'desc'], byDefault);
export const cursor: Argument = { type: 'string' };
export const objectName: Argument = { type: 'string' };

/** Arguments that restrict or page what is shown; they are ignored by actions that show nothing. */
export const presentational: ReadonlySet<string> = new Set([
  'cursor',
  'limit',
  'sort_by',
  'sort_dir',
  'fields',
  'max_tokens',
]);

/** Texts that are stored or sent as they are, not parsed. */
const contents: ReadonlySet<string> = new Set(['content', 'body', 'data', 'field_value']);

/** Throws VALIDATION_ERROR for a text that is too long to be parsed at once. */
export function refuseTooLong(name: string, given: Json | undefined): void {
  const problem = typeof given === 'string' && !contents.has(name) ? tooLong(given) : undefined;
  if (problem !== undefined) throw wrong(name, problem);
}

/** Reads the argument and checks its names. Throws VALIDATION_ERROR. */
export function readArgument(name: string, argument: Argument, given: Json | undefined): Json | undefined {
  refuseTooLong(name, given);
  const value = read(name, argument, given);
  const { enum: known, minLength = 0, pattern } = argument;
  if (typeof value === 'string' && [...value.trim()].length < minLength)
    throw wrongType(name, `a text of at least ${minLength} characters`);
  if (typeof value === 'string' && pattern && value.includes(',')) throw wrongType(name, 'one name');
  if (value === undefined || value === null || !known || open.has(argument) || known.some((one) => one === value))
    return value;
  const names = known.filter((one) => one !== null);
  const message = `${name} must be one of ${names.join(', ')}${didYouMean(String(value), names)}`;
  throw errors.validation(message, [{ field: name, message }], names);
}

/** Reads the argument leniently as its type; undefined if absent. Throws VALIDATION_ERROR. */
function read(name: string, argument: Argument, given: Json | undefined): Json | undefined {
  const { type } = argument;
  const isAnything = type === undefined && argument !== filterGroup;
  if (given === undefined || (given === '' && !isAnything)) return undefined;
  if (given === null) return isAnything || type?.includes('null') ? null : undefined;
  if (argument === filters || argument === filterGroup || argument === sort) return given;
  const [first] = [type].flat();
  if (first === 'string') return readText(name, given);
  if (first === 'integer') return readNumber(given);
  if (first === 'boolean') return given === 'true' ? true : given === 'false' ? false : given;
  if (first === 'array') return readList(name, argument, given);
  return first === 'object' ? readObject(name, given) : given;
}

function readText(name: string, given: Json): string {
  if (typeof given === 'string') return given;
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (given instanceof Digits) return given.source;
  throw wrongType(name, 'text');
}

function readNumber(given: Json): Json {
  return typeof given === 'string' && /^\s*-?\d{1,15}\s*$/.test(given) ? Number(given) : given;
}

/** Accepts a list, its JSON text, a single item, or texts separated by commas. */
function readList(name: string, { items }: Argument, given: Json): Json {
  const isJson = typeof given === 'string' && (items?.type === 'object' || given.trimStart().startsWith('['));
  const list = isJson ? fromText(name, given) : given;
  if (Array.isArray(list)) return list;
  if (items?.type === 'object' && isObject(list)) return [list];
  if (items && items.type !== 'object' && typeof list === 'string') return partsOf(list);
  throw wrongType(name, 'an array');
}

function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function readObject(name: string, given: Json): Json {
  const read = typeof given === 'string' ? fromText(name, given) : given;
  if (isObject(read)) return read;
  throw wrongType(name, 'an object');
}

function fromText(name: string, given: string): Json {
  const read = storableJson(given);
  if ('problem' in read) throw wrong(name, read.problem);
  return read.value;
}

const wrongType = (name: string, wanted: string) => wrong(name, `must be ${wanted}`);

function wrong(name: string, problem: string): KithError {
  const message = `${name} ${problem}`;
  return errors.validation(message, [{ field: name, message }]);
}
