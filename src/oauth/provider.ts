/** Configures the OAuth library for this service. It is loaded when the first app comes. */
import { generateKeyPairSync } from 'node:crypto';
import { errors, Provider, type Client, type Context } from 'oidc-provider';
import { adapterOf, type AdapterParts } from './adapter.ts';
import { accessSeconds, idleSeconds, longestSeconds, organizationOf, type Connections } from './connections.ts';
import { addressHeader } from './exchange.ts';
import { authorizePath, consentPath, registerPath, resourcesOf, revokePath, scope, tokenPath } from './places.ts';

interface ProviderParts extends Omit<AdapterParts, 'whyEnded'> {
  /** Fetches an app's document. */
  readonly fetchDocument: (url: string | URL) => Promise<Response>;
  /** Signs the access token of a renewed connection. */
  sign(token: SignedConnection): Promise<string>;
  /** Called with errors that are not the protocol's own. */
  failed(context: Context, error: unknown): void;
  /** Counts the fetch of an app's document for a request from `address`. Throws RATE_LIMITED. */
  countDocument(address: string): Promise<void>;
}

interface SignedConnection {
  readonly organizationId: string;
  readonly tokenId: string;
  readonly resource: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

type Renewed = WeakMap<Context, Omit<SignedConnection, 'resource'>>;

/** Long enough to sign in by mail. */
const interactionSeconds = 1_800;
const codeSeconds = 60;

/** Makes the authorization server for `issuer`. */
export function createProvider(issuer: string, parts: ProviderParts): Provider {
  /** The renewed state of a connection, for the token being issued. */
  const renewed: Renewed = new WeakMap();
  const provider = new Provider(issuer, configurationOf(issuer, parts, renewed));
  provider.proxy = true;
  provider.on('server_error', parts.failed);
  provider.on('error', (error, context) => parts.failed(context, error));
  provider.use(async (context, next) => {
    await next();
    const { oidc, body } = context;
    const times = renewed.get(context);
    if (oidc?.route !== 'token' || !isTokenAnswer(body) || !times) return;
    context.body = {
      ...body,
      access_token: await parts.sign({ ...times, resource: resourceOf(oidc.entities.AccessToken) }),
    };
  });
  return provider;
}

function isTokenAnswer(body: unknown): body is { readonly access_token: string } {
  return typeof body === 'object' && body !== null && 'access_token' in body;
}

function resourceOf(token: unknown): string {
  return String((token as { readonly aud?: unknown } | undefined)?.aud ?? '');
}

function configurationOf(issuer: string, parts: ProviderParts, renewed: Renewed): object {
  const isEncrypted = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', signed: false, secure: isEncrypted, overwrite: true };
  return {
    adapter: adapterOf({ ...parts, whyEnded }),
    routes: {
      authorization: authorizePath,
      token: tokenPath,
      registration: registerPath,
      revocation: revokePath,
    },
    // The library requires a key, but nothing is signed with it.
    jwks: { keys: [generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })] },
    clientDefaults: {
      id_token_signed_response_alg: 'EdDSA',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: [],
    pkce: { required: () => true },
    cookies: {
      names: { session: 'kith_oauth_session', interaction: 'kith_oauth', resume: 'kith_oauth_resume' },
      short: cookie,
      long: cookie,
    },
    features: featuresOf(issuer, parts),
    fetch: parts.fetchDocument,
    interactions: { url: () => consentPath },
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: codeSeconds,
      Grant: longestSeconds,
      IdToken: accessSeconds,
      Interaction: interactionSeconds,
      RefreshToken: (context: Context) => Math.max(1, Math.min(idleSeconds, untilOf(context) - nowIn(parts))),
      Session: interactionSeconds,
    },
    rotateRefreshToken: () => true,
    issueRefreshToken: (_context: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => false,
    findAccount: accountFinder(parts.connections, renewed),
    renderError(context: Context, out: object) {
      context.body = out;
    },
  };
}

function featuresOf(issuer: string, parts: ProviderParts): object {
  const resources = new Set(resourcesOf(issuer));
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (_context: Context, client: Client, token: { readonly clientId: string }) =>
        client.clientId === token.clientId,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      async allowFetch(context: Context | undefined) {
        // Token requests are counted already; without a context it is a signed-in person's page.
        if (context && context.path !== tokenPath) await parts.countDocument(context.get(addressHeader));
        return true;
      },
      allowClient: () => true,
    },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      defaultResource: (_context: Context, _client: Client, oneOf?: readonly string[]) => oneOf ?? `${issuer}/mcp`,
      getResourceServerInfo(_context: Context, resource: string) {
        if (!resources.has(resource)) throw new errors.InvalidTarget();
        return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: accessSeconds };
      },
    },
  };
}

/**
 * Finds the account of a connection, as long as that is active. For a token request the connection is renewed here, before
 * the code is used up.
 */
function accountFinder(connections: Connections, renewed: Renewed) {
  return async (context: Context, accountId: string, source?: { readonly grantId?: string }) => {
    const account = { accountId, claims: async () => ({ sub: accountId }) };
    if (context.oidc?.route !== 'token' || source?.grantId === undefined) return account;
    const place = { organizationId: organizationOf(accountId), tokenId: source.grantId };
    const times = await connections.renew(place, untilOf(context));
    if (!times) return undefined;
    renewed.set(context, { ...place, ...times });
    return account;
  };
}

/** The end of the current consent, in seconds. */
function untilOf({ oidc }: Context): number {
  return oidc?.entities.Grant?.exp ?? 0;
}

function nowIn({ clock }: Pick<AdapterParts, 'clock'>): number {
  return Math.floor(clock.now() / 1000);
}

/** Whether an error says that the app is invalid, as when its document is gone. */
export function isClientProblem(error: unknown): boolean {
  return error instanceof errors.InvalidClient || error instanceof errors.InvalidClientMetadata;
}

/** Whether an error says that the browser has no pending request. */
export function isNoRequest(error: unknown): boolean {
  return error instanceof errors.SessionNotFound;
}

/** The reason for the audit: revoked by the app, or a code or token was used twice. */
function whyEnded(): string {
  return Provider.ctx?.oidc?.route === 'revocation' ? 'revoked by the app' : 'a code or refresh token was used twice';
}
