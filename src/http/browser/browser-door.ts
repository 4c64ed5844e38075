/**
 * Who a browser is, by its cookie. A cookie goes along with whatever page asks, so a write counts only where a page of this
 * service asks for it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DemoVisitors } from '../../demo/demo-visitor.ts';
import { errors } from '../../errors.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { OAuth } from '../../oauth/oauth.ts';
import type { Session, Sessions } from '../../operations/door/sessions.ts';
import { longestMs, type BrowserSession } from '../../signin/browser-sessions.ts';
import { isSecret } from '../../signin/secret-text.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import type { IsKnownHost } from '../known-hosts.ts';

export interface BrowserDoor {
  /** The session that the request's cookie belongs to. */
  find(request: FastifyRequest): Promise<BrowserSession | undefined>;
  /** The caller; undefined where the request has no cookie. Throws UNAUTHORIZED, PERMISSION_DENIED for a write that another page asks for. */
  open(request: FastifyRequest): Promise<Session | undefined>;
  /** Throws PERMISSION_DENIED where the request does not come from a page of this service. */
  requireOwnPage(request: FastifyRequest): void;
  /** Whether the request names this machine itself, and no page of another one has sent it. */
  isOfThisMachine(request: FastifyRequest): boolean;
  /** Throws NOT_SUPPORTED where others on the way could read the cookie. */
  requireSafeWay(request: FastifyRequest): void;
  /** Has the browser keep the session; without one it forgets the one that it has. */
  keep(request: FastifyRequest, reply: FastifyReply, secret: string | undefined): void;
}

/** The ways in for people, and what becomes of their sessions. */
export interface People {
  readonly signIn: SignIn;
  readonly sessions: Pick<Sessions, 'ofBrowser'>;
  /** How programs come in with a person's consent; absent where they cannot. */
  readonly oauth?: OAuth;
  /** The service's address as the operator has told it. */
  readonly publicUrl: string | undefined;
  /** Whether mails are written to files, for want of a mail server. */
  readonly mailsToFiles?: boolean;
  /** Where the service has one, and only this machine reaches it. */
  readonly demo?: DemoVisitors | undefined;
}

/** Browsers take the first name over an encrypted connection alone, for this host alone. */
const safeName = '__Host-kith';
const plainName = 'kith';

/** One for a server. */
export function createBrowserDoor({ signIn, sessions, publicUrl }: People, isKnownHost: IsKnownHost): BrowserDoor {
  const publicly = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isPublicHost = ({ host }: FastifyRequest) => publicly !== undefined && host.toLowerCase() === publicly.host;
  // The proxy in front may be one that nobody has named.
  const isSafe = (request: FastifyRequest) =>
    request.protocol === 'https' || (publicly?.protocol === 'https:' && isPublicHost(request));
  const nameFor = (request: FastifyRequest) => (isSafe(request) ? safeName : plainName);
  const secretOf = (request: FastifyRequest) => cookieNamed(request.headers.cookie, nameFor(request));
  const find = async (request: FastifyRequest) => {
    const secret = secretOf(request);
    return secret === undefined ? undefined : signIn.sessions.find(secret);
  };
  const requireOwnPage = (request: FastifyRequest) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    // A browser that keeps its origin to itself says at least whether it is this one.
    const isOwn =
      origin === undefined || origin === 'null'
        ? site === 'same-origin'
        : origin === publicly?.origin ||
          (origin === `${request.protocol}://${request.host}` && isKnownHost(request.headers));
    if (!isOwn) throw errors.permissionDenied('A signed-in person changes things from pages of this service alone');
  };
  return {
    find,
    requireOwnPage,
    async open(request) {
      if (secretOf(request) === undefined) return undefined;
      if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnPage(request);
      const browser = await find(request);
      if (!browser) throw errors.unauthorized('You are not signed in any more: sign in again');
      return sessions.ofBrowser(browser);
    },
    isOfThisMachine: (request) => isLoopback(request.hostname) && isKnownHost(request.headers),
    requireSafeWay(request) {
      if (isSafe(request) || isLoopback(request.hostname) || isPublicHost(request)) return;
      throw errors.notSupported('Signing in needs an encrypted connection: open this service with https');
    },
    keep(request, reply, secret) {
      const name = nameFor(request);
      const lifetime = secret === undefined ? 0 : longestMs / 1000;
      const rest = `Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${isSafe(request) ? '; Secure' : ''}`;
      reply.header('set-cookie', `${name}=${secret ?? ''}; ${rest}`);
    },
  };
}

/** A secret as this service makes them; whatever else a cookie says counts as none. */
function cookieNamed(header: string | undefined, name: string): string | undefined {
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return found !== undefined && isSecret(found) ? found : undefined;
}
