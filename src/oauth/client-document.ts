/** Fetches client id metadata documents, with the protections for addresses that strangers name. */
import { isObject, parseJson } from '../lib/json.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { clientMetadata } from './client-metadata.ts';

const longestDocument = 5 * 1024;
const patienceMs = 5_000;

/**
 * Makes the fetch function for the library, which checks that the document names its own address and no secret. Rejects if
 * there is no usable document.
 */
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
    // An app that requires client authentication must not be accepted without.
    const method = given.token_endpoint_auth_method ?? 'none';
    const known = clientMetadata(given);
    if ('problem' in known) throw new Error(`The document of an app is not taken: ${known.problem}`);
    const secret = 'client_secret' in given ? { client_secret: given.client_secret } : {};
    const metadata = { ...known.metadata, ...secret, token_endpoint_auth_method: method };
    const cached = headers['cache-control'];
    return new Response(JSON.stringify(metadata), { headers: cached === undefined ? {} : { 'cache-control': cached } });
  };
}
