/** Parses query parameters strictly: unknown, repeated or malformed ones are refused. */
import { errors, quoted } from '../errors.ts';
import { unstorableText } from '../lib/json.ts';
import { parameterHint } from './parameter-hints.ts';

/** Parses `query` (the part after `?`). Throws VALIDATION_ERROR unless each parameter is one of `known` and occurs once. */
export function readQuery(query: string, known: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (!known.includes(name)) throw unknownParameter(name, known);
    if (found.has(name)) throw errors.validation(`The query parameter ${quoted(name)} is given more than once`);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const problem = unstorableText(value);
    if (problem !== undefined) throw errors.validation(`The query parameter ${quoted(name)} ${problem}`);
    found.set(name, value);
  }
  return found;
}

function unknownParameter(name: string, known: readonly string[]) {
  const message = `There is no query parameter ${quoted(name)}${parameterHint(name, known)}`;
  return errors.validation(message, undefined, known);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw errors.validation(`The query has broken percent-encoding at ${quoted(text)}`);
  }
}
