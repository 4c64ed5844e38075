/**
 * Hooks before each handler: fixed headers, the budget of the address and, for REST, authentication and the caller's
 * budget. [spec: Rate limits] counts the address before authentication.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import {
  agentsPath,
  appParts,
  appPrefix,
  authPrefix,
  hooksPrefix,
  oauthPrefix,
  referencePath,
  restPrefix,
} from '../lib/url-paths.ts';
import { bucketBy, bucketOf } from '../limits/buckets.ts';
import { isUuid } from '../lib/id.ts';
import { count, refuseWhereUsedUp, type Limiter } from '../limits/limiter.ts';
import { rowOf } from '../limits/policies.ts';
import type { Operation } from '../operations/door/operation.ts';
import type { Session, Sessions } from '../operations/door/sessions.ts';
import type { BrowserDoor } from './browser/browser-door.ts';
import { countedAddress } from './client-address.ts';
import { allowOrigin } from './cors.ts';
import { answerWrongMethod } from './errors.ts';
import { answerReader } from './no-page.ts';
import { pathHint } from './path-hints.ts';
import { isBelow, mostOfPath, shownPath } from './request-path.ts';
import './request-state.ts';

interface HookParts {
  readonly limiter: Limiter | undefined;
  /** Whose pages may call the service from a browser. */
  readonly origins: readonly string[];
  readonly closing: AbortSignal;
  readonly version: string;
}

/** Adds the hooks for all of `app`. */
export function addHooks(app: FastifyInstance, { limiter, origins, closing, version }: HookParts): void {
  // Fastify requires request properties to be declared; the hook below sets the array per request.
  app.decorateRequest('limitDecisions');
  app.decorateRequest('session', null);
  app.decorateRequest('arrivedAt');
  app.decorateRequest('bodyShare');
  const paths = new Set<string>();
  const pages = new Set<string>([referencePath]);
  const allowed = new Set(origins);
  app.addHook('onRoute', ({ url, config }) => {
    const own = config?.below === undefined ? [url] : [...config.below].map((path) => url.replace('*', path));
    for (const path of own) paths.add(path);
    if (config?.below !== undefined) for (const path of own) pages.add(path);
    // Below `/r/:object` each record has a page.
    if (config?.isPage) pages.add(url.replace(/\*$/, ':rest'));
  });
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = allowOrigin(allowed, request, reply);
    const goesOn = (): boolean => {
      const { config } = request.routeOptions;
      if (request.is404 || isNoPath(request, config)) {
        if (answerReader(request, reply, pages, version)) return false;
        const path = shownPath(request);
        const hint = path.length < mostOfPath ? pathHint(request.method, path, paths) : '';
        throw errors.notFound(`There is nothing at ${request.method} ${path}${hint}`);
      }
      if (config.allow === undefined) return true;
      if (isPreflight) reply.code(204).send();
      else answerWrongMethod(config.allow, request, reply);
      return false;
    };
    const counting = beginRequest(limiter, request, reply);
    if (counting) counting.then(goesOn).then((does) => does && done(), done);
    else if (goesOn()) done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Idle connections would otherwise delay the shutdown.
    if (closing.aborted) reply.header('connection', 'close');
    done();
  });
}

/** Prefixes of the APIs outside REST. */
const prefixesBesideRest = [authPrefix, oauthPrefix, hooksPrefix, ...appParts.map((part) => `${appPrefix}/${part}`)];

/** Sets the fixed headers and counts against the address's budget; returns a promise only if that is asynchronous. Throws RATE_LIMITED. */
export function beginRequest(
  limiter: Limiter | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  request.limitDecisions = [];
  reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  const { isApi, isSurface, isBesideRest, isHook } = standingOf(request);
  if (!isSurface && !isBesideRest && !isApi) return undefined;
  reply.header('cache-control', 'no-store');
  if (!limiter || (!isSurface && !isBesideRest)) return undefined;
  const address = bucketOf('api:ip', { ip: countedAddress(request) });
  const hooked = isHook ? hookedAccount(request) : undefined;
  // Outside REST this is only flood protection: the headers there show the operation's own budget.
  if (hooked === undefined) return count(limiter, [address], isSurface ? request.limitDecisions : []);
  // A provider calls for many accounts from one address: each account has its own budget, unless wrong requests use up the
  // address's.
  const ofAccount = bucketOf('api:ip', { ip: `${address.identity} ${hooked}` });
  return refuseWhereUsedUp(limiter, [address]).then(() => count(limiter, [ofAccount], []));
}

/** Which part of the service a request is for. */
interface Standing {
  readonly isApi: boolean;
  readonly isSurface: boolean;
  readonly isBesideRest: boolean;
  readonly isHook: boolean;
}

/** By route configuration, of which each route has its own. */
const standings = new WeakMap<object, Standing>();

/** Uses the route rather than the path, which can be percent-encoded. */
function standingOf(request: FastifyRequest): Standing {
  const { url, config } = request.routeOptions ?? {};
  if (url === undefined || !config) return standingAt(shownPath(request), false);
  let standing = standings.get(config);
  if (!standing) standings.set(config, (standing = standingAt(url, config.isPage === true)));
  return standing;
}

function standingAt(path: string, isPage: boolean): Standing {
  return {
    isApi: isBelow(path, '/api'),
    isSurface: path === agentsPath || isBelow(path, restPrefix),
    isBesideRest: isPage || prefixesBesideRest.some((prefix) => isBelow(path, prefix)),
    isHook: isBelow(path, hooksPrefix),
  };
}

/** The account that a hook request names, unverified; undefined if it cannot exist. */
function hookedAccount({ params }: FastifyRequest): string | undefined {
  const { id } = (params ?? {}) as { readonly id?: string };
  return id !== undefined && isUuid(id) ? id.toLowerCase() : undefined;
}

/** Counts a hook request that failed verification against the address's budget. Throws RATE_LIMITED. */
export async function countGuess(limiter: Limiter | undefined, request: FastifyRequest): Promise<void> {
  // For an impossible account the address was counted already.
  if (hookedAccount(request) === undefined) return;
  await count(limiter, [bucketOf('api:ip', { ip: countedAddress(request) })], []);
}

/** Authenticates callers. */
export interface Callers {
  readonly sessions: Pick<Sessions, 'open'>;
  readonly browser: BrowserDoor | undefined;
}

/** Authenticates by token, or else by cookie. Throws UNAUTHORIZED, PERMISSION_DENIED, CONFLICT. */
async function authenticated({ sessions, browser }: Callers, request: FastifyRequest): Promise<Session> {
  const { authorization } = request.headers;
  const signedIn = authorization === undefined ? await browser?.open(request) : undefined;
  const madeFor = request.headers['made-for'];
  // A session can change its organization while an old page is open.
  if (signedIn && madeFor !== undefined && madeFor !== signedIn.caller.workspaceUserId)
    throw errors.conflict('The page was made for another organization or person: open it again');
  return (request.session = signedIn ?? (await sessions.open(authorization, request.socket)));
}

/**
 * Authenticates a request outside REST, which only its operation counts. A failure counts against the address if a policy
 * of the operation falls back to that. Throws UNAUTHORIZED, RATE_LIMITED, PERMISSION_DENIED.
 */
export async function authenticateBeside(
  callers: Callers,
  limiter: Limiter | undefined,
  request: FastifyRequest,
  { policies = [] }: Pick<Operation, 'policies'>,
): Promise<void> {
  try {
    await authenticated(callers, request);
  } catch (error) {
    const fallingBack = policies.filter((policy) => rowOf(policy).elseKey);
    const buckets = fallingBack.map((policy) => bucketBy(policy, { ip: countedAddress(request) }));
    if (buckets.length > 0) await count(limiter, buckets, request.limitDecisions);
    throw error;
  }
}

/** Authenticates and counts a REST request. Throws UNAUTHORIZED, RATE_LIMITED, PERMISSION_DENIED. */
export async function authenticate(
  callers: Callers,
  limiter: Limiter | undefined,
  request: FastifyRequest,
): Promise<void> {
  const { caller } = await authenticated(callers, request);
  if (limiter) await count(limiter, [bucketOf('api:global', caller)], request.limitDecisions);
}

/** Whether the path has an empty parameter, as by a trailing slash, or an unknown part below a `*` route. */
function isNoPath({ params }: FastifyRequest, { below }: FastifyContextConfig): boolean {
  const parts: unknown[] = typeof params === 'object' && params !== null ? Object.values(params) : [];
  return (
    parts.includes('') || (below !== undefined && !parts.some((part) => typeof part === 'string' && below.has(part)))
  );
}
