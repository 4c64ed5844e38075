/** Validates the input of an operation against its schema, and words the problems. */
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { Check } from 'typebox/value';
import { propertiesOf } from '../../describe/places.ts';
import { errors, type FieldError, type KithError, Mistakes, quoted, shortened } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { shortList } from '../../lib/short-list.ts';

// TypeBox reports each unknown key by two errors.
Settings.Set({ maxErrors: 200 });

const compiled = new WeakMap<TSchema, Validator>();

/**
 * Validates `given`. A null for an optional key that cannot be null counts as absent, except in a partial change, where it
 * could mean to empty it. Throws MISSING_REQUIRED_FIELD for a missing key, or else VALIDATION_ERROR.
 */
export function validInput<Input extends TSchema>(
  operation: { readonly input: Input; readonly isPartial?: true; readonly manages?: string },
  given: unknown,
): Static<Input> {
  let validator = compiled.get(operation.input);
  if (!validator) compiled.set(operation.input, (validator = Compile(operation.input)));
  if (validator.Check(given)) return given as Static<Input>;
  const input = operation.isPartial ? given : withoutNulls(operation.input, given);
  if (validator.Check(input)) return input as Static<Input>;
  throw explain(validator, operation, input);
}

/** The input without null keys that are optional and cannot be null, at any depth. */
function withoutNulls(schema: TSchema, input: unknown): unknown {
  if (Array.isArray(input)) {
    const items = filled(itemsOf(schema));
    return Object.keys(propertiesOf(items)).length === 0 ? input : input.map((item) => withoutNulls(items, item));
  }
  if (!isObject(input)) return input;
  const properties = propertiesOf(schema);
  const isAbsent = ([key, value]: [string, Json]) =>
    value === null && Object.hasOwn(properties, key) && !isRequired(schema, key) && !mayBeNull(properties[key] ?? {});
  const present = Object.entries(input).filter((entry) => !isAbsent(entry));
  return Object.fromEntries(
    present.map(([key, value]) => [
      key,
      Object.hasOwn(properties, key) ? withoutNulls(filled(properties[key] ?? {}), value) : value,
    ]),
  );
}

function mayBeNull(schema: Json): boolean {
  return Check(schema as TSchema, null);
}

function explain(
  validator: Validator,
  { input: schema, manages }: { readonly input: TSchema; readonly manages?: string },
  input: unknown,
): KithError {
  const mistakes = new Mistakes();
  const found = [...validator.Errors(input)];
  const chosen = new Set(found.flatMap(({ keyword, instancePath }) => (keyword === 'enum' ? [instancePath] : [])));
  for (const error of found) {
    // An enum value is described by its names, so its type error is dropped.
    if (error.keyword === 'type' && chosen.has(error.instancePath)) continue;
    if (error.keyword === 'required') {
      const [missing = ''] = error.params.requiredProperties;
      const hint = slipHint(schema, error.instancePath, missing, input) || listHint(schema, missing, input);
      return errors.missingField(`${pathOf(error.instancePath)}${missing}`, hint);
    }
    if (error.keyword === 'additionalProperties') {
      const at = error.instancePath;
      // Of tasks and notes a role may hide some.
      const others = manages === undefined ? othersOf(propertiesAt(schema, at), valueAt(input, at)) : '';
      const unknown = error.params.additionalProperties;
      for (const name of unknown)
        mistakes.addUnknown(() => unknownKey(schema, at, name, name === unknown.at(-1) ? others : ''));
    } else if (error.keyword !== 'boolean' && error.keyword !== 'anyOf' && !isOrNull(error)) {
      const field = pathOf(error.instancePath).slice(0, -1) || 'body';
      const [at, name] = split(error.instancePath);
      if (valueAt(input, error.instancePath) === null && isRequired(schemaAt(schema, at), name))
        return errors.missingField(field);
      const given = isSecret(schema, error.instancePath) ? undefined : valueAt(input, error.instancePath);
      const message = `${field} ${demandOf(error)}${insteadOf(given)}`;
      if (error.keyword === 'enum') {
        const known = error.params.allowedValues.map(String);
        const hint = () => (typeof given === 'string' ? didYouMean(given, known) : '');
        mistakes.addUnknown(() => ({ field, message: `${message}${hint()}` }), known);
      } else mistakes.add({ field, message });
    }
  }
  // With very many unknown keys the error limit is reached before the errors that list them.
  if (mistakes.count === 0)
    for (const { keyword, instancePath } of found)
      if (keyword === 'boolean') mistakes.addUnknown(() => unknownKey(schema, ...split(instancePath)));
  return mistakes.error() ?? errors.validation('The request has another shape than expected');
}

/** `others` is said of the keys that are taken, where none is near. */
function unknownKey(schema: TSchema, at: string, name: string, others = ''): FieldError {
  const properties = propertiesAt(schema, at);
  const field = pathOf(at) + shortened(name);
  const hint = didYouMean(name, Object.keys(properties)) || placeOf(name, properties) || others;
  return { field, message: `${JSON.stringify(field)} is not known here${hint}` };
}

/** Whether the problem is only that the value is not null; the other alternative is described instead. */
function isOrNull(error: TLocalizedValidationError): boolean {
  return error.keyword === 'type' && error.params.type === 'null';
}

/** The schema at a JSON pointer. */
function schemaAt(schema: TSchema, pointer: string): TSchema {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((at, key) => filled(propertiesOf(at)[key] ?? itemsOf(at)), schema);
}

/** The properties of the object at a JSON pointer. */
function propertiesAt(schema: TSchema, pointer: string): JsonObject {
  return propertiesOf(schemaAt(schema, pointer));
}

/** Splits a JSON pointer into that of the object and the key in it. */
function split(pointer: string): readonly [at: string, name: string] {
  const at = Math.max(pointer.lastIndexOf('/'), 0);
  return [pointer.slice(0, at), pointer.slice(at + 1)];
}

/** The schema of a list's items. */
function itemsOf(schema: TSchema): Json {
  return 'items' in schema && isObject(schema.items) ? schema.items : {};
}

/** The other alternative of a nullable schema. */
function filled(schema: Json): TSchema {
  if (!isObject(schema)) return {};
  const { anyOf: parts = null } = schema;
  if (!Array.isArray(parts)) return schema;
  return parts.find((part): part is JsonObject => isObject(part) && part.type !== 'null') ?? {};
}

/** The keys that are taken beside those that are given. */
function othersOf(properties: JsonObject, given: unknown): string {
  const free = Object.entries(properties).filter(
    ([name, schema]) => !(isObject(given) && Object.hasOwn(given, name)) && !(isObject(schema) && 'inHeader' in schema),
  );
  const names = free.map(([name]) => name);
  return names.length === 0 ? '' : `; it takes ${shortList(names, mostNamed)}`;
}

const mostNamed = 12;

/** A hint for an unknown key that belongs one level deeper. */
function placeOf(name: string, properties: JsonObject): string {
  const place = Object.keys(properties).find((key) =>
    Object.hasOwn(propertiesOf((properties[key] ?? {}) as TSchema), name),
  );
  return place === undefined ? '' : `: it goes into ${place}`;
}

/** A hint if an unknown key was probably meant to be the missing one. */
function slipHint(schema: TSchema, pointer: string, missing: string, input: unknown): string {
  const given = valueAt(input, pointer);
  if (!isObject(given)) return '';
  const known = propertiesAt(schema, pointer);
  const slip = Object.keys(given).find((name) => !Object.hasOwn(known, name) && didYouMean(name, [missing]) !== '');
  return slip === undefined ? '' : `${quoted(slip)} is not known here`;
}

/** A hint on how to wrap a required list. */
function listHint(schema: TSchema, missing: string, input: unknown): string {
  const { [missing]: wanted } = propertiesOf(schema);
  if (!isObject(wanted) || wanted.type !== 'array' || !isObject(input)) return '';
  return `the body is { "${missing}": [ … ] }`;
}

/** Whether the key is required. */
function isRequired(schema: TSchema, name: string): boolean {
  return 'required' in schema && Array.isArray(schema.required) && schema.required.includes(name);
}

/** What the schema requires, in plain words. */
function demandOf(error: TLocalizedValidationError): string {
  if (error.keyword === 'enum') return `must be ${listed(error.params.allowedValues.map(String))}`;
  if (error.keyword === 'type' && typeof error.params.type === 'string') {
    return `must be ${wordsOfTypes[error.params.type] ?? error.params.type}`;
  }
  if (error.keyword === 'format') return wordsOfFormats[error.params.format] ?? error.message;
  if (error.keyword === 'const') return `must be ${JSON.stringify(error.params.allowedValue)}`;
  return boundOf(error) ?? error.message;
}

/** The words for a value that is too large or too small. */
function boundOf(error: TLocalizedValidationError): string | undefined {
  if (error.keyword === 'minItems') return `must have at least ${error.params.limit}`;
  if (error.keyword === 'maxItems') return `may have at most ${error.params.limit.toLocaleString('en')}`;
  if (error.keyword === 'maxLength') return `must have at most ${error.params.limit.toLocaleString('en')} characters`;
  if (error.keyword === 'minLength' && error.params.limit === 1) return 'must not be empty';
  if (error.keyword === 'minimum') return `must be at least ${error.params.limit.toLocaleString('en')}`;
  if (error.keyword === 'maximum') return `must be at most ${error.params.limit.toLocaleString('en')}`;
  return undefined;
}

const wordsOfFormats: Readonly<Record<string, string>> = {
  uuid: 'must be an id',
  date: 'must be a day such as 2026-01-31',
  'date-time': 'must be a time such as 2026-01-31T09:30:00Z',
};

const wordsOfTypes: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'an array',
  object: 'an object',
};

/** `a, b or c`. */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Whether the value at a JSON pointer is a secret, which no message repeats. */
function isSecret(schema: TSchema, pointer: string): boolean {
  const [at, name] = split(pointer);
  const { [name]: found } = propertiesAt(schema, at);
  return isObject(found) && found.writeOnly === true;
}

/** The value at a JSON pointer. */
function valueAt(input: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((value, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null
      ? Object.entries(value).find(([own]) => own === name)?.[1]
      : undefined;
  }, input);
}

function insteadOf(given: unknown): string {
  return typeof given === 'string' && given !== '' ? `, not ${quoted(given)}` : '';
}

/** Writes `/records/0/id` as `records.0.id.`. */
function pathOf(pointer: string): string {
  return pointer === '' ? '' : `${pointer.slice(1).replaceAll('/', '.')}.`;
}
