/**
 * What happens to every request before its handler: headers that always go out, the budget of its address, then, on the
 * REST surface, who is calling and their budget. [spec: Rate limits] counts the address before authentication.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import {
  agentsPath,
  appParts,
  appPrefix,
  authPrefix,
  hooksPrefix,
  oauthPrefix,
  restPrefix,
} from '../lib/rest-prefix.ts';
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
import { pathHint } from './path-hints.ts';
import './request-state.ts';

/** Adds the hooks that all of `app` needs. */
export function addHooks(
  app: FastifyInstance,
  limiter: Limiter | undefined,
  origins: readonly string[],
  closing: AbortSignal,
): void {
  // Fastify wants each property of a request to exist from the start; the hook below gives it its own array.
  app.decorateRequest('limitDecisions');
  app.decorateRequest('session', null);
  app.decorateRequest('arrivedAt');
  const paths = new Set<string>();
  const allowed = new Set(origins);
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.below === undefined) paths.add(url);
    else for (const path of config.below) paths.add(url.replace('*', path));
  });
  app.addHook('onRequest', async (request, reply) => {
    const isAsking = allowOrigin(allowed, request, reply);
    await beginRequest(limiter, request, reply);
    if (request.is404 || isNoPath(request)) {
      const path = pathOf(request);
      const hint = path.length < mostOfPath ? pathHint(path, paths) : '';
      throw errors.notFound(`There is nothing at ${request.method} ${path}${hint}`);
    }
    const { allow } = request.routeOptions.config;
    if (allow === undefined) return undefined;
    if (isAsking) return reply.code(204).send();
    answerWrongMethod(allow, request, reply);
    return reply;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Idle connections would otherwise hold up the end.
    if (closing.aborted) reply.header('connection', 'close');
    done();
  });
}

/** What comes before REST and beside it. */
const doors = [authPrefix, oauthPrefix, hooksPrefix, ...appParts.map((part) => `${appPrefix}/${part}`)];

/** The headers that every answer has, and the budget of the client's address. Throws RATE_LIMITED. */
export async function beginRequest(
  limiter: Limiter | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.limitDecisions = [];
  reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  // By the route where there is one: the same path can be spelt with percent signs.
  const path = request.routeOptions?.url ?? pathOf(request);
  const isSurface = path === agentsPath || isBelow(path, restPrefix);
  const isDoor = request.routeOptions?.config.isPage === true || doors.some((door) => isBelow(path, door));
  if (!isSurface && !isDoor && !isBelow(path, '/api')) return;
  reply.header('cache-control', 'no-store');
  if (!isSurface && !isDoor) return;
  const address = bucketOf('api:ip', { ip: countedAddress(request) });
  const hooked = isBelow(path, hooksPrefix) ? hookedAccount(request) : undefined;
  // Many accounts are called in for from one address of their provider: each has a budget there, for as long as nobody guesses there.
  if (hooked !== undefined) {
    await refuseWhereUsedUp(limiter, [address]);
    return count(limiter, [bucketOf('api:ip', { ip: `${address.identity} ${hooked}` })], []);
  }
  // At the doors this only keeps anyone from asking without end: what is told there is the budget of the operation.
  await count(limiter, [address], isSurface ? request.limitDecisions : []);
}

/** The account of which a provider tells something, by its own account; undefined where there can be none. */
function hookedAccount({ params }: FastifyRequest): string | undefined {
  const { id } = (params ?? {}) as { readonly id?: string };
  return id !== undefined && isUuid(id) ? id.toLowerCase() : undefined;
}

/** Counts a hook of somebody who does not prove to be the provider against the budget of the address. Throws RATE_LIMITED. */
export async function countGuess(limiter: Limiter | undefined, request: FastifyRequest): Promise<void> {
  // Where there can be no account it was counted so already.
  if (hookedAccount(request) === undefined) return;
  await count(limiter, [bucketOf('api:ip', { ip: countedAddress(request) })], []);
}

/** Who knows callers. */
export interface Callers {
  readonly sessions: Pick<Sessions, 'open'>;
  readonly browser: BrowserDoor | undefined;
}

/** Authenticates a request that needs a caller, by its token or else by its cookie. Throws UNAUTHORIZED, PERMISSION_DENIED, CONFLICT. */
async function authenticated({ sessions, browser }: Callers, request: FastifyRequest): Promise<Session> {
  const { authorization } = request.headers;
  const signedIn = authorization === undefined ? await browser?.open(request) : undefined;
  const madeFor = request.headers['made-for'];
  // Sessions change their organization; a page that was left open does not.
  if (signedIn && madeFor !== undefined && madeFor !== signedIn.caller.workspaceUserId)
    throw errors.conflict('The page was made for another organization or person: open it again');
  return (request.session = signedIn ?? (await sessions.open(authorization, request.socket)));
}

/**
 * Authenticates a request beside REST, which its operation alone counts. One that has no caller uses up the budget of its address,
 * where a policy of the operation falls back to that. Throws UNAUTHORIZED, RATE_LIMITED, PERMISSION_DENIED.
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

/** Authenticates a request to REST, and counts it. Throws UNAUTHORIZED, RATE_LIMITED, PERMISSION_DENIED. */
export async function authenticate(
  callers: Callers,
  limiter: Limiter | undefined,
  request: FastifyRequest,
): Promise<void> {
  const { caller } = await authenticated(callers, request);
  await count(limiter, [bucketOf('api:global', caller)], request.limitDecisions);
}

/** A slash too many at the end is no record whose id is empty, and not all that is below a route is there. */
function isNoPath({ params, routeOptions }: FastifyRequest): boolean {
  const parts: unknown[] = typeof params === 'object' && params !== null ? Object.values(params) : [];
  const { below } = routeOptions.config;
  return (
    parts.includes('') || (below !== undefined && !parts.some((part) => typeof part === 'string' && below.has(part)))
  );
}

/** So much of a path is worth repeating. */
const mostOfPath = 200;

function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?', 1)[0]!.slice(0, mostOfPath);
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
