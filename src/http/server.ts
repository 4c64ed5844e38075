/** The HTTP server: Fastify with every limit set, Kith's own bodies for every refusal, and an end that waits for answers. */
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { newId } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { RateLimited } from '../limits/limiter.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Perform } from '../operations/perform.ts';
import type { Sessions } from '../operations/sessions.ts';
import { bind } from './bind.ts';
import type { Route } from './bind.ts';
import { shareOfBodies } from './body-share.ts';
import { inflateBody, readJsonBodies } from './body.ts';
import { answerError, bodyLimit, rawRefusal } from './errors.ts';
import { addHealth } from './health.ts';
import { addHooks, authenticate, beginRequest } from './hooks.ts';
import { addIndex } from './index-page.ts';
import { addMetrics } from './metrics.ts';
import type { SharedMetrics } from './metrics.ts';
import { addReferencePage } from './reference-page.ts';
import { restPrefix } from './request-state.ts';

export interface ServerParts {
  readonly routes: readonly Route[];
  readonly sessions: Pick<Sessions, 'open'>;
  readonly perform: Perform;
  /** Undefined where limits are off. */
  readonly limiter: Limiter | undefined;
  readonly log: Log;
  /** Rejects while requests cannot be served. */
  ready(): Promise<void>;
  readonly version: string;
  readonly trustedProxies: readonly string[];
  /** Absent where this process is the only one. */
  readonly sharedMetrics?: SharedMetrics | undefined;
}

export interface HttpServer {
  /** For requests without a socket, in tests. */
  readonly app: FastifyInstance;
  /** Resolves to the base URL. */
  listen(host: string, port: number): Promise<string>;
  /** Takes no more connections, lets the requests in flight finish, and breaks off what has not after nine seconds. */
  close(): Promise<void>;
}

/** The process promises to end within ten seconds; one is for the database. */
const hardStopMillis = 9_000;

export function createServer(parts: ServerParts): HttpServer {
  let closing = false;
  const app = createApp(parts);
  const metrics = addMetrics(app, parts.sharedMetrics);
  addHooks(app, parts.limiter, () => closing);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof RateLimited) metrics.denied(error.verdict.policy);
    answerError(parts.log, error, request, reply);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request;
    const fields = {
      requestId,
      method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    };
    parts.log.debug(fields, 'answered');
    done();
  });
  readJsonBodies(app);
  addRoutes(app, parts);
  const unused = unusedSockets(app);
  return {
    app,
    async listen(host, port) {
      await app.listen({ host, port });
      const address = app.server.address();
      return baseUrl(host, typeof address === 'object' && address !== null ? address.port : port);
    },
    async close() {
      closing = true;
      for (const socket of unused) socket.destroy();
      const hardStop = setTimeout(() => app.server.closeAllConnections(), hardStopMillis);
      try {
        await app.close();
      } finally {
        clearTimeout(hardStop);
      }
    },
  };
}

function createApp({ log, limiter, trustedProxies }: ServerParts): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit,
    genReqId: (request) => acceptableId(request.headers['x-request-id']) ?? newId(),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    // While closing, requests on open connections are still answered.
    return503OnClosing: false,
    // Node's own are none, or too small for filters in an address.
    requestTimeout: 30_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 65_536 },
    routerOptions: {
      maxParamLength: 65_536,
      // Read where errors can be answered: bind.ts.
      querystringParser: () => ({}),
    },
    frameworkErrors(error, request, reply) {
      const answer = (thrown: unknown) => answerError(log, thrown, request, reply);
      beginRequest(limiter, request, reply).then(() => answer(error), answer);
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      if (socket.writable) socket.end(rawRefusal(error.code));
      socket.destroySoon();
    },
  });
  return app;
}

/** Ids from outside get into logs and headers: only harmless characters, and not too many. */
function acceptableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:+/=@-]{1,128}$/.test(header) ? header : undefined;
}

function addRoutes(
  app: FastifyInstance,
  { routes, sessions, perform, limiter, log, ready, version }: ServerParts,
): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  addHealth(app, ready);
  addIndex(app, routes, version);
  addReferencePage(app);
  const preParsing = [inflateBody, shareOfBodies()];
  for (const route of routes) {
    app.route({
      method: route.method,
      url: restPrefix + route.path,
      onRequest: (request) => authenticate(sessions, limiter, request),
      ...(route.body !== undefined && { preParsing }),
      handler: bind(route, perform, log),
    });
  }
  for (const [url, allowed] of [...methods]) {
    const allow = [...allowed];
    const method = app.supportedMethods.filter((name) => !allowed.has(name));
    // The hook on every request answers; a handler is only needed to have the route.
    app.route({ method, url, config: { allow }, handler: () => undefined });
  }
}

/** Connections that have not brought a whole request head: nothing on them was taken on, so they can be cut at the end. */
function unusedSockets(app: FastifyInstance): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.prependListener('request', (request) => unused.delete(request.socket));
  return unused;
}

function baseUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
