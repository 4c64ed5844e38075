/** A REST surface over invented operations: what the HTTP layer does by itself, without a database behind it. */
import Type from 'typebox';
import { errors } from '../../src/errors.ts';
import type { Route } from '../../src/http/bind.ts';
import type { SharedMetrics } from '../../src/http/metrics.ts';
import { createServer } from '../../src/http/server.ts';
import type { HttpServer, ServerParts } from '../../src/http/server.ts';
import { createLimiter } from '../../src/limits/in-process.ts';
import { defaultPolicies } from '../../src/limits/policies.ts';
import type { Policies } from '../../src/limits/policies.ts';
import { defineOperation } from '../../src/operations/door/operation.ts';
import type { Answer, Operation } from '../../src/operations/door/operation.ts';
import type { RequestContext } from '../../src/operations/door/request-context.ts';
import type { Session } from '../../src/operations/door/sessions.ts';

export const goodToken = 'Bearer svc_good';

/** A header that is good, too, for any user of any organization. */
export const tokenOf = (organization: string, user: string): string => `Bearer svc_good ${organization} ${user}`;

/** What an operation was called with. */
export interface Seen {
  readonly operation: string;
  readonly input: unknown;
  readonly context: RequestContext;
}

export interface Fixture extends HttpServer {
  readonly seen: Seen[];
  /** Lines of the log. */
  readonly logged: { level: string; fields: object; message: string }[];
  /** What the operations do from now on, instead of answering with their input. */
  act: (seen: Seen) => Promise<Answer> | Answer;
}

const records = defineOperation({
  id: 'records.list',
  summary: 'List records',
  input: Type.Object({
    object: Type.String(),
    limit: Type.Optional(Type.Integer()),
    share: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    hidden: Type.Optional(Type.Boolean()),
    search: Type.Optional(Type.String()),
  }),
  output: Type.Unknown(),
  effect: 'read',
  cost: 'global',
  run: () => Promise.resolve({}),
});
const create = defineOperation({
  id: 'records.create',
  summary: 'Create a record',
  input: Type.Object({ object: Type.String(), values: Type.Record(Type.String(), Type.Unknown()) }),
  output: Type.Unknown(),
  effect: 'write',
  cost: 'global',
  run: () => Promise.resolve({}),
});
const bulk = defineOperation({
  id: 'records.import',
  summary: 'Import records',
  input: Type.Object({ object: Type.String(), records: Type.Array(Type.Unknown()) }),
  output: Type.Unknown(),
  effect: 'write',
  cost: 'bulk',
  run: () => Promise.resolve({}),
});
const restore = defineOperation({
  id: 'records.restore',
  summary: 'Restore a record',
  input: Type.Object({ object: Type.String(), id: Type.String() }),
  output: Type.Unknown(),
  effect: 'write',
  cost: 'global',
  run: () => Promise.resolve({}),
});

const routes: readonly Route[] = [
  route('GET', '/records/:object', records),
  route('POST', '/records/:object', create, { under: 'values' }),
  route('POST', '/import/:object', bulk, 'merged'),
  route('POST', '/records/:object/:id/restore', restore),
  route('GET', '/schema/:object', records),
];

function route(method: Route['method'], path: string, operation: Operation, body?: Route['body']): Route {
  return { method, path, operation, body };
}

/** A server that answers each operation with its input, for callers with `goodToken` or one of `tokenOf`. */
export function fixture(
  options: {
    policies?: Partial<Policies>;
    ready?: () => Promise<void>;
    proxies?: string[];
    origins?: string[];
    metricsToken?: string;
    sharedMetrics?: SharedMetrics;
  } = {},
): Fixture {
  const seen: Seen[] = [];
  const logged: Fixture['logged'] = [];
  const write = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message });
  const limiter = options.policies && createLimiter({ ...defaultPolicies, ...options.policies });
  const parts: ServerParts = {
    routes,
    limiter,
    log: { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') },
    ready: options.ready ?? (() => Promise.resolve()),
    version: '1.2.3',
    trustedProxies: options.proxies ?? [],
    origins: options.origins ?? [],
    metricsToken: options.metricsToken,
    sharedMetrics: options.sharedMetrics,
    sessions: {
      open: async (header = '') => {
        if (!header.startsWith(goodToken)) throw errors.unauthorized();
        const [organizationId, workspaceUserId] = header.slice(goodToken.length).trim().split(' ');
        if (!organizationId || !workspaceUserId) return session;
        return { ...session, caller: { ...session.caller, organizationId, workspaceUserId } };
      },
    },
    perform: async (
      operation: Pick<Operation, 'id'>,
      _from: unknown,
      input: () => unknown,
      context: RequestContext,
    ) => {
      const call = { operation: operation.id, input: input(), context };
      seen.push(call);
      return server.act(call);
    },
  };
  const server: Fixture = Object.assign(createServer(parts), {
    seen,
    logged,
    act: (call: Seen): Promise<Answer> | Answer => ({ input: call.input }),
  });
  return server;
}

const session: Session = {
  caller: {
    organizationId: 'organization',
    datasourceId: 'main',
    userId: 'person',
    workspaceUserId: 'user',
    role: { id: 'role', name: 'Admin', isAdmin: true, permissions: new Map() },
    tokenId: 'token',
    scopes: ['mcp'],
  },
  // The HTTP layer hands both on and never looks into them.
  model: Object.create(null) as Session['model'],
  database: Object.create(null) as Session['database'],
};
