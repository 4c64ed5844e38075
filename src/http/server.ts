/** The HTTP server: Fastify with explicit limits, Kith's own error bodies, and a graceful shutdown. */
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { newId } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { appPrefix, authPrefix, restPrefix } from '../lib/url-paths.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { AnswerAgent } from '../mcp/exchange.ts';
import { largestBody } from '../operations/inputs.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { Sessions } from '../operations/door/sessions.ts';
import { appRoutes, type AppOperations } from './app-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { bind } from './bind.ts';
import type { Route } from './bind.ts';
import { shareOfBodies } from './body-share.ts';
import { inflateBody, readJsonBodies } from './body.ts';
import { addAgents } from './agents.ts';
import { shutdownOf } from './shutdown.ts';
import { createBrowserDoor, type People } from './browser/browser-door.ts';
import { addPages } from './browser/pages.ts';
import { answerError, rawRefusal } from './errors.ts';
import { addDocuments } from './documents.ts';
import { addHealth } from './health.ts';
import { addHooks, authenticate, authenticateBeside, beginRequest } from './hooks.ts';
import { addIndex } from './index-page.ts';
import { issuerOf } from './issuer.ts';
import { knownHosts } from './known-hosts.ts';
import { addLlms } from './llms.ts';
import { addOAuth } from './oauth-routes.ts';
import { openListeners, type Listeners } from './listeners.ts';
import { addMetrics } from './metrics.ts';
import type { SharedMetrics } from './metrics.ts';
import { addTranscriptSocket, wantsSocket, type TranscriptSocketParts } from './transcript-socket.ts';
import { addProviderHooks } from './provider-hooks.ts';
import { addReferencePage } from './reference-page.ts';

export interface ServerParts {
  readonly routes: readonly Route[];
  readonly sessions: Pick<Sessions, 'open'>;
  /** Sign-in; without it there are no cookies and no sign-in pages. */
  readonly people?: People;
  readonly perform: Perform;
  /** Answers agents; without it there is no /mcp. */
  readonly answerAgent?: AnswerAgent;
  /** Operations of Kith's own programs; without them their routes are missing. */
  readonly app?: AppOperations & Pick<TranscriptSocketParts, 'sessions' | 'keyring' | 'clock' | 'times'>;
  /** Finds the owners of accounts for provider hooks; without it there are no hooks. */
  readonly hooked?: Pick<Sessions, 'ofHook'>;
  /** Host names of the service, besides those of this machine. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may call the service from a browser. */
  readonly origins?: readonly string[];
  /** Undefined if limits are off. */
  readonly limiter: Limiter | undefined;
  readonly log: Log;
  /** Rejects while requests cannot be served. */
  ready(): Promise<void>;
  readonly version: string;
  readonly trustedProxies: readonly string[];
  /** Lets others than this machine read the metrics. */
  readonly metricsToken?: string | undefined;
  /** Absent if this is the only process. */
  readonly sharedMetrics?: SharedMetrics | undefined;
}

export interface HttpServer {
  /** For requests without a socket, in tests. */
  readonly app: FastifyInstance;
  /** Opens the server and listens; resolves to the base URL. Throws an error worded for the operator. */
  listen(host: string, port: number): Promise<string>;
  /** Resolves when connections may be passed to `take`. */
  open(): Promise<void>;
  /** Serves a connection that was accepted elsewhere. */
  take(connection: Socket): void;
  /**
   * Stops listening, serves open connections for up to two seconds, and cuts what is not finished after `withinMillis` in
   * all; defaults to nine seconds.
   */
  close(withinMillis?: number): Promise<void>;
}

/** The process promises to end within ten seconds; one of them is for the database. */
const longestEndMillis = 9_000;

/** Makes the server, not yet listening. */
export function createServer(parts: ServerParts): HttpServer {
  const app = createApp(parts);
  const shutdown = shutdownOf(app.server);
  addMetrics(app, parts.metricsToken, parts.sharedMetrics);
  const { limiter, origins = [], version } = parts;
  addHooks(app, { limiter, origins, closing: shutdown.closing, version });
  app.setErrorHandler((error, request, reply) => {
    answerError(parts.log, error, request, reply);
  });
  if (parts.log.isLevelEnabled?.('debug') !== false) addAnswered(app, parts.log);
  readJsonBodies(app);
  addRoutes(app, parts, shutdown.closing);
  let listeners: Listeners | undefined;

  async function open(): Promise<void> {
    await app.ready();
    // Node starts its checks for slow clients when a server listens, which this one does not do itself.
    app.server.emit('listening');
  }

  const take = (connection: Socket) => void app.server.emit('connection', connection);

  return {
    app,
    async listen(host, port) {
      await open();
      listeners = await openListeners(host, port, { take, holdUp: shutdown.holdUp });
      return listeners.url;
    },
    open,
    take,
    async close(withinMillis = longestEndMillis) {
      const since = performance.now();
      await listeners?.close(parts.log);
      await shutdown.end(() => app.close(), withinMillis - (performance.now() - since));
    },
  };
}

/** Logs each answer. */
function addAnswered(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request;
    const fields = {
      requestId,
      method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    };
    log.debug(fields, 'answered');
    done();
  });
}

function createApp({ log, limiter, trustedProxies }: ServerParts): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: largestBody,
    genReqId: (request) => acceptableId(request.headers['x-request-id']) ?? newId(),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    // While closing, requests on open connections are still served.
    return503OnClosing: false,
    // Node's defaults are unlimited, or too small for filters in a URL.
    requestTimeout: 30_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 65_536,
      shouldUpgradeCallback: wantsSocket,
    },
    routerOptions: {
      maxParamLength: 65_536,
      // The query is parsed in bind.ts, where errors can be answered.
      querystringParser: () => ({}),
    },
    frameworkErrors(error, request, reply) {
      const answer = (thrown: unknown) => answerError(log, thrown, request, reply);
      Promise.try(() => beginRequest(limiter, request, reply)).then(() => answer(error), answer);
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      if (socket.writable) socket.end(rawRefusal(error.code));
      socket.destroySoon();
    },
  });
  return app;
}

/** The client's request id if it is safe for logs and headers. */
function acceptableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:+/=@-]{1,128}$/.test(header) ? header : undefined;
}

function addRoutes(app: FastifyInstance, parts: ServerParts, closing: AbortSignal): void {
  const { routes, sessions, perform, limiter, log, ready, version, answerAgent, people } = parts;
  const { hosts = [], origins = [] } = parts;
  // Allowed origins may call with a token, but not with a cookie.
  const browser = people && createBrowserDoor(people, knownHosts(hosts));
  const methods = new Map<string, { allowed: Set<string>; config: FastifyContextConfig | undefined }>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = methods.get(url) ?? { allowed: new Set(), config };
    for (const name of [method].flat()) known.allowed.add(name);
    methods.set(url, known);
  });
  addHealth(app, ready);
  addIndex(app, routes, version);
  addReferencePage(app, routes);
  addDocuments(app);
  addLlms(app);
  const share = shareOfBodies();
  const preParsing = [inflateBody, share];
  const isKnownHost = knownHosts(hosts, origins);
  if (answerAgent) addAgents(app, { sessions, answerAgent, isKnownHost, preParsing, log, closing });
  if (parts.app) addTranscriptSocket(app, { ...parts.app, perform, isKnownHost, log, closing });
  if (parts.hooked) addProviderHooks(app, { sessions: parts.hooked, perform, preParsing: share, log, limiter });
  if (people && browser) {
    const named = issuerOf(people);
    addPages(app, { ...people, issuerOf: named, browser, perform, limiter, log, closing, version });
    if (people.oauth) {
      app.decorate('issuerOf', named);
      addOAuth(app, { oauth: people.oauth, issuerOf: named, limiter, log });
    }
  }
  const callers = { sessions, browser };
  const bound = [
    ...routes.map((route) => [restPrefix, route, authenticate] as const),
    ...(people ? authRoutes : []).map((route) => [authPrefix, route, authenticate] as const),
    ...(parts.app ? appRoutes(parts.app) : []).map((route) => [appPrefix, route, authenticateBeside] as const),
  ];
  for (const [prefix, route, identify] of bound) {
    const { operation } = route;
    app.route({
      method: route.method,
      url: prefix + route.path,
      ...(!operation.isPublic && {
        onRequest: (request) => identify(callers, limiter, request, operation),
      }),
      ...(route.body !== undefined && { preParsing }),
      ...(operation.takesFile && { config: { takesFile: true } }),
      handler: bind(route, perform, log, closing),
    });
  }
  for (const [url, { allowed, config }] of [...methods]) {
    const allow = [...allowed];
    const method = app.supportedMethods.filter((name) => !allowed.has(name));
    // The hook on every request answers; the handler is only needed to define the route.
    app.route({ method, url, config: { ...config, allow }, handler: () => undefined });
  }
}
