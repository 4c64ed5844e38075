/**
 * Arguments as the library of the protocol lets them pass: what it would refuse in words of its own, or lose, goes through it
 * wrapped, so that tools and prompts say what is wrong as they say it of all else.
 */
import { isObject, type Json, type JsonObject } from '../lib/json.ts';

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
