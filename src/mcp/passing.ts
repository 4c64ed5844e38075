/** Wraps arguments that the protocol library would refuse or alter, so that tools and prompts report their problems themselves. */
import { errors, shortened, type FieldError } from '../errors.ts';
import { isObject, unstorable, type Json, type JsonObject } from '../lib/json.ts';

/** The argument that contains wrapped ones; no tool or prompt has this name. */
const wrapper = 'kith/wrapped';

/** The messages with wrapped arguments where needed; null means none. */
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
  // The library copies objects, which would lose this key.
  return isObject(given) && !Object.hasOwn(given, '__proto__') ? given : { [wrapper]: given };
}

/** The argument that replaces those of a tool if one cannot be stored. */
const refused = 'kith/refused';

/** The messages, with the arguments of a tool replaced by the problem of one that cannot be stored. Undefined if something else cannot. */
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

/** The problem of the first argument that cannot be stored. */
function wordAbout(given: Json, depth: number): { readonly [part in keyof FieldError]: string } | undefined {
  const [field, problem] = Object.entries(isObject(given) ? given : {})
    .map(([name, value]) => [name, unstorable(name) === undefined ? unstorable(value, depth + 1) : undefined] as const)
    .find(([, found]) => found !== undefined) ?? ['arguments', unstorable(given, depth)];
  return problem === undefined ? undefined : { field: shortened(field), message: `${shortened(field)} ${problem}` };
}

/** Throws VALIDATION_ERROR if an argument of the tool could not be stored. */
export function refuseUnstorable(args: JsonObject): void {
  const { [refused]: word } = args;
  if (!isObject(word)) return;
  const { field = '', message = '' } = word;
  throw errors.validation(String(message), [{ field: String(field), message: String(message) }]);
}

/** Arguments of a prompt must be texts; null means none. */
function ofPrompt(given: Json): Json {
  if (given === null) return {};
  if (!isObject(given)) return { [wrapper]: 'arguments must be an object of texts' };
  const texts = Object.entries(given).filter(([, value]) => value !== null);
  const wrong = texts.find(([, value]) => typeof value !== 'string');
  return wrong ? { [wrapper]: `${wrong[0]} must be a text` } : Object.fromEntries(texts);
}

/** The arguments of a tool as they were sent. */
export function givenToTool(args: JsonObject): Json {
  return args[wrapper] ?? args;
}

/** The problem of a prompt's arguments; undefined if they are valid. */
export function problemOfPrompt(args: Readonly<Record<string, string>>): string | undefined {
  return args[wrapper];
}
