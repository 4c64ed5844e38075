/** Validates an app's metadata, from registration or its own document; unused parts are dropped. */
import { isObject, type Json, type JsonObject } from '../lib/json.ts';

/** Longer names are cut where they are shown. */
const longestName = 200;
const longestAddress = 2_000;
const mostAddresses = 20;

/** Loopback hosts in redirect URIs, as the library knows them. [RFC 8252, 7.3] */
const loopbacks: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Schemes that browsers do not pass to a program. */
const ofBrowsers: ReadonlySet<string> = new Set(
  'http https ftp ws wss file data blob filesystem javascript vbscript about view-source mailto tel sms intent'.split(
    ' ',
  ),
);

/** The problem of a redirect URI; undefined if it is valid. */
function addressProblem(text: Json): string | undefined {
  const url = typeof text === 'string' && text.length <= longestAddress ? URL.parse(text) : null;
  if (!url) return 'has to be an address';
  if (url.username !== '' || url.password !== '') return 'must have no password inside';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopbacks.has(url.hostname))) return undefined;
  if (!ofBrowsers.has(url.protocol.slice(0, -1))) return undefined;
  return 'has to begin with https://, with http:// and 127.0.0.1, [::1] or localhost, or with the scheme of a program';
}

/** The problem of an app's metadata, as in RFC 7591. */
export interface MetadataProblem {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly problem: string;
}

/** The metadata for the library, or the problem. Apps have no secret: shared by all copies of an app, it would not be one. */
export function clientMetadata(given: Json | undefined): { readonly metadata: JsonObject } | MetadataProblem {
  const error = 'invalid_client_metadata';
  if (!isObject(given)) return { error, problem: 'The body must be a JSON object' };
  const { redirect_uris: addresses, client_name: name } = given;
  if (!Array.isArray(addresses) || addresses.length === 0 || addresses.length > mostAddresses)
    return {
      error: 'invalid_redirect_uri',
      problem: `redirect_uris must be a list of 1 to ${mostAddresses} addresses`,
    };
  const problem = addresses.map(addressProblem).find((found) => found !== undefined);
  if (problem !== undefined) return { error: 'invalid_redirect_uri', problem: `Each of redirect_uris ${problem}` };
  if (name !== undefined && (typeof name !== 'string' || plainName(name) === ''))
    return { error, problem: 'client_name must be a text that can be read' };
  const isWeb = addresses.every((one) => new URL(String(one)).protocol === 'https:');
  const metadata = {
    redirect_uris: addresses,
    ...(typeof name === 'string' && { client_name: plainName(name) }),
    ...pick(given, ['client_id', 'grant_types', 'response_types']),
    token_endpoint_auth_method: 'none',
    application_type: isWeb ? 'web' : 'native',
  };
  return { metadata };
}

/** The name without characters that change how the text around it is displayed. */
function plainName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, longestName)
    .toWellFormed();
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** The destination of a redirect in short: a host, or a program's scheme. */
export function hostOf(address: string): string {
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol;
}

/** The answer to a registration: the metadata that applies to such apps. */
export function registrationAnswer(client: JsonObject): JsonObject {
  return pick(client, [
    'client_id',
    'client_id_issued_at',
    'client_name',
    'redirect_uris',
    'grant_types',
    'response_types',
    'token_endpoint_auth_method',
    'application_type',
  ]);
}
