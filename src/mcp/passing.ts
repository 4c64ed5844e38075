/**
 * Arguments as the library of the protocol lets them pass: what it would refuse in words of its own, or lose, goes through it
 * wrapped, so that tools and prompts say what is wrong as they say it of all else.
 */
import { errors, shortened, type FieldError } from '../errors.ts';
import { isObject, unstorable, type Json, type JsonObject } from '../lib/json.ts';

/** The name of the one argument that others are wrapped in: no tool and no prompt has it. */
const wrapper = 'kith/wrapped';

/** The same messages, which pass. Null stands for no arguments. */
export function passable(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(passable);
  if (!isObject(body) || !isObject(body['params'])) return body;
  const { method, params } = body;
  if (params['arguments'] === undefined) return body;
  const pass = method === 'tools/call' ? ofTool : method === 'prompts/get' ? ofPrompt : undefined;
  return pass ? { ...body, params: { ...params, arguments: pass(params['arguments']) } } : body;
}

function ofTool(given: Json): Json {
  if (given === null) return {};
  // The library copies objects, and a copy has no such key any more.
  return isObject(given) && !Object.hasOwn(given, '__proto__') ? given : { [wrapper]: given };
}

/** The name of what stands for arguments of a tool of which one cannot be stored. */
const refused = 'kith/refused';

/** The same messages, where a tool's arguments alone cannot be stored: a word about them stands in their place. Undefined where something else cannot. */
export function storableMessages(body: unknown): unknown {
  if (!Array.isArray(body)) return storableMessage(body, 0);
  const messages = body.map((message: unknown) => storableMessage(message, 1));
  return messages.includes(undefined) ? undefined : messages;
}

function storableMessage(body: unknown, depth: number): unknown {
  const message = isObject(body) ? withWord(body, depth) : (body as Json);
  return unstorable(message, depth) === undefined ? message : undefined;
}

function withWord(message: JsonObject, depth: number): JsonObject {
  const { method, params } = message;
  if (method !== 'tools/call' || !isObject(params)) return message;
  const word = wordAbout(params['arguments'] ?? null, depth + 2);
  return word ? { ...message, params: { ...params, arguments: { [refused]: word } } } : message;
}

/** What is wrong with the first argument that cannot be stored. */
function wordAbout(given: Json, depth: number): { readonly [part in keyof FieldError]: string } | undefined {
  const [field, problem] = Object.entries(isObject(given) ? given : {})
    .map(([name, value]) => [name, unstorable(name) === undefined ? unstorable(value, depth + 1) : undefined] as const)
    .find(([, found]) => found !== undefined) ?? ['arguments', unstorable(given, depth)];
  return problem === undefined ? undefined : { field: shortened(field), message: `${shortened(field)} ${problem}` };
}

/** Throws VALIDATION_ERROR for arguments of a tool of which one could not be stored. */
export function refuseUnstorable(args: JsonObject): void {
  const { [refused]: word } = args;
  if (!isObject(word)) return;
  const { field = '', message = '' } = word;
  throw errors.validation(String(message), [{ field: String(field), message: String(message) }]);
}

/** Of a prompt they are texts: null is none, and anything else is told. */
function ofPrompt(given: Json): Json {
  if (given === null) return {};
  if (!isObject(given)) return { [wrapper]: 'arguments must be an object of texts' };
  const texts = Object.entries(given).filter(([, value]) => value !== null);
  const wrong = texts.find(([, value]) => typeof value !== 'string');
  return wrong ? { [wrapper]: `${wrong[0]} must be a text` } : Object.fromEntries(texts);
}

/** What a tool was given, whatever it is. */
export function givenToTool(args: JsonObject): Json {
  return args[wrapper] ?? args;
}

/** Why what a prompt was given is not taken; undefined where it is. */
export function problemOfPrompt(args: Readonly<Record<string, string>>): string | undefined {
  return args[wrapper];
}
