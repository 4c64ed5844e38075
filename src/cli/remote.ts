/** Performs operations at a remote service, by the table of its routes. */
import { placesOf, type Places } from '../describe/places.ts';
import { errors, KithError, quoted, type ErrorCode, type FieldError } from '../errors.ts';
import { routes } from '../http/routes.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { restPrefix } from '../lib/url-paths.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Operation } from '../operations/door/operation.ts';
import { isErrorCode } from './exit-codes.ts';

/** Performs an operation; the answer is that of REST. */
export type Ask = (operation: Operation, input: JsonObject) => Promise<JsonObject>;

/**
 * Makes the client of a service. Throws VALIDATION_ERROR for an invalid `url`, UNAUTHORIZED for an invalid token. `note`
 * gets the warnings of answers.
 */
export function createRemote(
  url: string,
  token: string,
  interruption: AbortSignal,
  note: (message: string) => void,
): Ask {
  const base = baseOf(url);
  refuseUnsendable(token);
  return async (operation, input) => {
    const { method, path, body } = requestOf(operation, input);
    const { response, text } = await fetch(base + restPrefix + path, {
      method,
      redirect: 'manual',
      signal: interruption,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((error: unknown) => {
        throw unreachable(base, reasonOf(error), error);
      });
    const answer = readAnswer(base, response, text);
    if (!response.ok) throw errorOf(response.status, answer);
    warningsIn(response).forEach(note);
    return answer;
  };
}

/** Checked here, since an error about the header would repeat the token. Throws UNAUTHORIZED. */
export function refuseUnsendable(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw errors.unauthorized('KITH_TOKEN has characters that no token has');
}

/** The address of a service, without a trailing slash or the path of REST. Throws VALIDATION_ERROR if invalid. */
export function baseOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) throw errors.validation('KITH_URL must look like https://crm.example or http://127.0.0.1:3000');
  const address = url.href.replace(/\/+$/, '');
  return address.endsWith(restPrefix) ? address.slice(0, -restPrefix.length) : address;
}

function requestOf({ id }: Operation, input: JsonObject) {
  const route = routes.find(({ operation }) => operation.id === id);
  if (!route) throw new Error(`No route for ${id}`);
  const places = placesOf(route);
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(textOf(input[name])));
  const query = new URLSearchParams(
    places.query.flatMap((name): [string, string][] =>
      input[name] === undefined ? [] : [[name, textOf(input[name])]],
    ),
  ).toString();
  return {
    method: route.method,
    path: query === '' ? path : `${path}?${query}`,
    body: bodyOf(route, places, input),
  };
}

function bodyOf({ body }: (typeof routes)[number], places: Places, input: JsonObject): Json | undefined {
  if (body === undefined) return undefined;
  if (body !== 'merged') return input[body.under] ?? {};
  return Object.fromEntries(Object.entries(input).filter(([name]) => places.body.includes(name)));
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function readAnswer(base: string, response: Response, text: string): JsonObject {
  try {
    const answer = parseJson(text);
    if (isObject(answer)) return answer;
  } catch {
    // Not JSON: handled below.
  }
  throw unreachable(base, `it is no Kith (status ${response.status})`);
}

function errorOf(status: number, answer: JsonObject): KithError {
  const { code, message, field_errors: fieldErrors, available_values: availableValues } = answer;
  const text = textOf(message ?? answer['error'] ?? `Status ${status}`);
  if (status === 401) return errors.unauthorized(`KITH_TOKEN: ${text}`);
  return new KithError(codeOf(status, code), text, {
    ...(Array.isArray(fieldErrors) && { fieldErrors: fieldErrors as unknown as FieldError[] }),
    ...(Array.isArray(availableValues) && { availableValues: availableValues.map(textOf) }),
  });
}

/** Two statuses are more reliable than the body's code. */
function codeOf(status: number, code: Json | undefined): ErrorCode {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503) return 'UNAVAILABLE';
  return isErrorCode(code) ? code : 'INTERNAL_ERROR';
}

/** The texts of a Warning header, such as `199 - "text", 199 - "text"`. */
function warningsIn({ headers }: Response): string[] {
  return [...(headers.get('warning') ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\\(.)/g, '$1'),
  );
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

function unreachable(base: string, reason: string, cause?: unknown): KithError {
  return new KithError('UNAVAILABLE', `KITH_URL, ${quoted(base)}, does not answer: ${reason}`, { cause });
}
