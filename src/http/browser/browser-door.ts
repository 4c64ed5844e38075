/**
 * Authenticates browsers by cookie. Any page can cause a request with the cookie, so writes are accepted only from pages of
 * this service.
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
  /** The session of the request's cookie. */
  find(request: FastifyRequest): Promise<BrowserSession | undefined>;
  /** The caller; undefined without a cookie. Throws UNAUTHORIZED, and PERMISSION_DENIED for a write from another origin. */
  open(request: FastifyRequest): Promise<Session | undefined>;
  /** Throws PERMISSION_DENIED unless the request comes from a page of this service. */
  requireOwnPage(request: FastifyRequest): void;
  /** Whether the request is addressed to this machine and not sent by a page of another origin. */
  isOfThisMachine(request: FastifyRequest): boolean;
  /** Throws NOT_SUPPORTED if the connection is not encrypted, so that the cookie could be read. */
  requireSafeWay(request: FastifyRequest): void;
  /** Sets the session cookie, or deletes it if `secret` is undefined. */
  keep(request: FastifyRequest, reply: FastifyReply, secret: string | undefined): void;
}

/** Sign-in and sessions of people. */
export interface People {
  readonly signIn: SignIn;
  readonly sessions: Pick<Sessions, 'ofBrowser'>;
  /** OAuth for apps; absent if it is not available. */
  readonly oauth?: OAuth;
  /** The public address, if configured. */
  readonly publicUrl: string | undefined;
  /** Whether mails are written to files, without a mail server. */
  readonly mailsToFiles?: boolean;
  /** The demo, if there is one and only this machine can reach the service. */
  readonly demo?: DemoVisitors | undefined;
}

/** Browsers accept the `__Host-` name only over an encrypted connection and for this host. */
const safeName = '__Host-kith';
const plainName = 'kith';

/** Makes the browser authentication of a server. */
export function createBrowserDoor({ signIn, sessions, publicUrl }: People, isKnownHost: IsKnownHost): BrowserDoor {
  const publicly = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isPublicHost = ({ host }: FastifyRequest) => publicly !== undefined && host.toLowerCase() === publicly.host;
  // The proxy in front may not be configured as trusted.
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
    // A browser that hides its origin still sends `Sec-Fetch-Site`.
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

/** The value of the cookie if it has the form of a secret. */
function cookieNamed(header: string | undefined, name: string): string | undefined {
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return found !== undefined && isSecret(found) ? found : undefined;
}
