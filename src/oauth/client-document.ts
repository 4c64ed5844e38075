/** Documents in which apps describe themselves, at the address that is their id: fetched as whatever strangers name is. */
import { isObject, parseJson } from '../lib/json.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { clientMetadata } from './client-metadata.ts';

const longestDocument = 5 * 1024;
const patienceMs = 5_000;

/** Fetches a document for the library, which checks that it says its own address and has no secret. Rejects where there is none that can be used. */
export function documentFetcher(outgoing: Pick<Outgoing, 'request'>): (url: string | URL) => Promise<Response> {
  return async (url) => {
    const { status, headers, body } = await outgoing.request(
      { url: String(url), headers: { accept: 'application/json' } },
      { timeoutMs: patienceMs, maxBytes: longestDocument },
    );
    if (status !== 200) throw new Error(`The document of an app is answered with ${status}`);
    const given = parseJson(body.toString('utf8'));
    if (!isObject(given) || typeof given.client_name !== 'string')
      throw new Error('The document of an app has no client_name');
    // One that wants to prove who it is must not pass without.
    const method = given.token_endpoint_auth_method ?? 'none';
    const known = clientMetadata(given);
    if ('problem' in known) throw new Error(`The document of an app is not taken: ${known.problem}`);
    const secret = 'client_secret' in given ? { client_secret: given.client_secret } : {};
    const metadata = { ...known.metadata, ...secret, token_endpoint_auth_method: method };
    const cached = headers['cache-control'];
    return new Response(JSON.stringify(metadata), { headers: cached === undefined ? {} : { 'cache-control': cached } });
  };
}
