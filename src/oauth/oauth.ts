/**
 * The OAuth authorization server: an app gets access in the name of a consenting person without seeing the person's
 * credentials. The library implements the protocol; consents and access tokens are Kith's. [decisions: OAuth]
 */
import { errors as kithErrors, KithError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { unstorableText } from '../lib/json.ts';
import { queryOf } from '../lib/query-of.ts';
import { bucketOf } from '../limits/buckets.ts';
import { count, type Limiter } from '../limits/limiter.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { ProvisionDeps } from '../provision/deps.ts';
import { signRow } from '../provision/token-row.ts';
import { hashOf } from '../signin/secret-text.ts';
import { ofConnection } from './access-token.ts';
import { documentFetcher } from './client-document.ts';
import { hostOf } from './client-metadata.ts';
import { accountOf, createConnections, longestSeconds, type ConnectedApp } from './connections.ts';
import type { Entries } from './entries.ts';
import { heldResponse, requestTo, type OAuthAnswer, type OAuthRequest } from './exchange.ts';
import type { createProvider, isClientProblem, isNoRequest } from './provider.ts';
import { authorizePath, consentPath, revokePath, scope, tokenPath } from './places.ts';

/** An app's request for access. */
export interface AppRequest {
  /** Identifies the request. */
  readonly key: string;
  readonly app: ConnectedApp;
  /** The redirect destination. */
  readonly redirectUri: string;
}

/** The consenting user, and the connection made for it. */
export interface Consent {
  readonly organizationId: string;
  readonly workspaceUserId: string;
  readonly tokenId: string;
}

export interface OAuth {
  /** The protocol's answer to a request. Throws RATE_LIMITED, UNAVAILABLE, INTERNAL_ERROR. */
  answer(issuer: string, request: OAuthRequest): Promise<OAuthAnswer>;
  /** The pending request of the browser with these cookies; undefined if there is none. */
  waiting(issuer: string, cookie: string | undefined): Promise<AppRequest | undefined>;
  /** Grants the pending request; returns the path to continue at. Throws as `answer`. */
  allow(issuer: string, cookie: string | undefined, consent: Consent): Promise<string>;
  /** Denies the pending request; returns the path to continue at. Throws as `answer`. */
  refuse(issuer: string, cookie: string | undefined): Promise<string>;
}

interface Parts {
  readonly entries: Entries;
  readonly provision: ProvisionDeps;
  readonly outgoing: Pick<Outgoing, 'request'>;
  readonly limiter: Limiter | undefined;
  readonly clock: Clock;
}

/** Makes the authorization server of a process. The library is loaded with the first request. */
export function createOAuth({ entries, provision, outgoing, limiter, clock }: Parts): OAuth {
  const connections = createConnections(provision);
  const failures = new WeakMap<object, unknown>();
  const parts: ProviderParts = {
    entries,
    connections,
    clock,
    fetchDocument: documentFetcher(outgoing),
    sign: ({ organizationId, tokenId, resource, ...times }) =>
      signRow(provision, organizationId, { id: tokenId, ...times, resource }),
    failed: ({ res }, error) => void failures.set(res, error),
    countDocument: async (ip) => count(limiter, [bucketOf('oauth:register', { ip })], []),
  };
  const providerOf = openProviders(parts);
  const waits = async (issuer: string, cookie: string | undefined) => {
    const one = await found(await providerOf(issuer), issuer, cookie);
    if (!one) throw noneWaits();
    return one;
  };
  return {
    async answer(issuer, request) {
      const { provider } = await providerOf(issuer);
      const asked = requestTo(issuer, await understood(provision, request));
      const { response, answer } = heldResponse(asked);
      await provider.callback()(asked, response);
      const failure = failures.get(response);
      if (failure !== undefined) throw failure instanceof KithError ? failure : kithErrors.internal(failure);
      return answer();
    },
    async waiting(issuer, cookie) {
      const opened = await providerOf(issuer);
      const one = await found(opened, issuer, cookie);
      const { jti, params } = one?.details ?? { jti: '', params: {} };
      const client = await one?.provider.Client.find(String(params.client_id)).catch((error: unknown) => {
        if (opened.isClientProblem(error)) throw kithErrors.validation(documentGone);
        throw error;
      });
      if (!client) return undefined;
      const redirectUri = String(params.redirect_uri);
      const host = hostOf(redirectUri);
      const app = { id: client.clientId, name: client.clientName ?? host, host, resource: String(params.resource) };
      return { key: hashOf(jti), app, redirectUri };
    },
    async allow(issuer, cookie, { organizationId, workspaceUserId, tokenId }) {
      const { provider, details, settle } = await waits(issuer, cookie);
      const { client_id: clientId, resource } = details.params;
      const accountId = accountOf(organizationId, workspaceUserId);
      const grant = new provider.Grant({ accountId, clientId: String(clientId) });
      grant.jti = tokenId;
      grant.addResourceScope(String(resource), scope);
      await grant.save();
      await entries.keepUntil('Client', String(clientId), clock.now() + longestSeconds * 1000);
      return settle({ login: { accountId, remember: false }, consent: { grantId: tokenId } });
    },
    async refuse(issuer, cookie) {
      const { settle } = await waits(issuer, cookie);
      return settle({ error: 'access_denied', error_description: 'The person does not allow it' });
    },
  };
}

type ProviderParts = Parameters<typeof createProvider>[1];

interface Opened {
  readonly provider: ReturnType<typeof createProvider>;
  readonly isNoRequest: typeof isNoRequest;
  readonly isClientProblem: typeof isClientProblem;
}

/** Makes one provider per issuer; the library is loaded with the first. */
function openProviders(parts: ProviderParts): (issuer: string) => Promise<Opened> {
  const opened = new Map<string, Promise<Opened>>();
  const open = async (issuer: string) => {
    const library = await import('./provider.ts');
    const { isNoRequest, isClientProblem } = library;
    return { provider: library.createProvider(issuer, parts), isNoRequest, isClientProblem };
  };
  return (issuer) => {
    const known = opened.get(issuer) ?? open(issuer);
    opened.set(issuer, known);
    return known;
  };
}

/** The pending request of the browser with these cookies; `settle` answers it and resolves to where the browser continues. */
async function found({ provider, isNoRequest: isNone }: Opened, issuer: string, cookie: string | undefined) {
  const request = requestTo(issuer, { method: 'GET', path: consentPath, cookie, address: '' });
  const { response } = heldResponse(request);
  const details = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (isNone(error)) return undefined;
    throw error;
  });
  const settle = async (result: object) =>
    new URL(await provider.interactionResult(request, response, result)).pathname;
  return details && { provider, details, settle };
}

const documentGone = 'The document of the app cannot be read any more: begin again in the app';

const noneWaits = () => kithErrors.validation('No app waits for an answer here any more: begin again in the app');

/** Converts a request to the library's terms. */
async function understood({ tokens }: ProvisionDeps, request: OAuthRequest): Promise<OAuthRequest> {
  const [path = ''] = request.path.split('?', 1);
  const query = queryOf(request.path);
  if (path === authorizePath)
    return { ...request, path: `${path}?${String(authorizeQuery(new URLSearchParams(query)))}` };
  const form = new URLSearchParams(request.body);
  if (path === tokenPath) form.delete('scope');
  if (path === tokenPath) return { ...request, body: String(form) };
  if (path !== revokePath) return request;
  const given = form.get('token') ?? '';
  // Access tokens are opaque to the library; an invalid one counts as revoked.
  const known = given.startsWith('svc_') ? await tokens.verify(given).catch(unlessUnauthorized) : undefined;
  if (known) form.set('token', ofConnection + known.tokenId);
  else if (/^(?:svc_|connection~)/.test(given)) form.set('token', 'none');
  return { ...request, body: String(form) };
}

function unlessUnauthorized(error: unknown): undefined {
  if (error instanceof KithError && error.code === 'UNAUTHORIZED') return undefined;
  throw error;
}

/** Parameters of an authorization request that are passed on; the library would interpret others. */
const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'request',
  'request_uri',
];

/** The most characters: a pending request is stored in the database. */
const longestParameter = 4_000;

/** The parameters to pass on. Throws VALIDATION_ERROR for text that cannot be stored. */
function authorizeQuery(given: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams([...given].filter(([name]) => known.includes(name)));
  for (const [name, value] of query) {
    if (value.length > longestParameter)
      throw kithErrors.validation(`${name} must have at most ${longestParameter} characters`);
    const problem = unstorableText(value);
    if (problem !== undefined) throw kithErrors.validation(`${name} ${problem}`);
  }
  // The library accepts several resources, and would ask again for the one that was not consented to.
  if (query.getAll('resource').length > 1) throw kithErrors.validation('resource is given once');
  // Only one scope exists, whichever others an app requests; the token response states it.
  query.set('scope', scope);
  // That mode would need a script.
  if (query.get('response_mode') === 'form_post') query.set('response_mode', 'unknown');
  return query;
}
