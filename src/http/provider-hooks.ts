/** `/api/hooks/{provider}/{integrationId}`: requests of account providers, verified with the account's settings. [contract: Hooks] */
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { errors } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { queryOf } from '../lib/query-of.ts';
import { hooksPrefix } from '../lib/url-paths.ts';
import { errorBody } from '../operations/door/error-body.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Sessions } from '../operations/door/sessions.ts';
import { confirmHook, receiveHook } from '../operations/conversations/provider-hooks.ts';
import type { Limiter } from '../limits/limiter.ts';
import { holdingBody } from './body-share.ts';
import { departureOn } from './departure.ts';
import { report } from './errors.ts';
import { countGuess } from './hooks.ts';
import { parseInSlices } from './json-in-slices.ts';
import './request-state.ts';

interface Parts {
  readonly sessions: Pick<Sessions, 'ofHook'>;
  readonly perform: Perform;
  readonly preParsing: preParsingHookHandler;
  readonly log: Log;
  /** Absent if limits are off. */
  readonly limiter: Limiter | undefined;
}

interface Hooked {
  Params: { readonly provider: string; readonly id: string };
}

/** Providers send up to three megabytes at once. */
const largestHook = 4 * 1024 * 1024;

/** Adds the routes. Unverified requests get the same answer whether or not the account exists. */
export function addProviderHooks(app: FastifyInstance, parts: Parts): void {
  const { preParsing } = parts;
  const url = `${hooksPrefix}/:provider/:id`;
  app.route<Hooked>({
    method: 'POST',
    url,
    bodyLimit: largestHook,
    config: { takesBytes: true },
    preParsing,
    handler: (request, reply) =>
      holdingBody(request, async () => {
        try {
          return reply.send(await receive(parts, request));
        } catch (error) {
          if (isUnauthorized(error)) await countGuess(parts.limiter, request);
          throw error;
        }
      }),
  });
  app.route<Hooked>({
    method: 'GET',
    url,
    async handler(request, reply) {
      const answer = await confirmation(parts, request);
      if (answer === undefined) {
        await countGuess(parts.limiter, request);
        return refuse(reply);
      }
      return reply.type('text/plain; charset=utf-8').send(answer);
    },
  });
}

async function receive({ sessions, perform, log }: Parts, request: FastifyRequest<Hooked>) {
  const { headers, body: given } = request;
  const params = addressIn(request);
  const session = await sessions.ofHook(params.id);
  const body = given instanceof Uint8Array ? given : new Uint8Array();
  const json = () => parseInSlices(body, departureOn(request.raw.socket), { takesAnyText: true });
  const input = () => ({ ...params, request: { headers, body, json } });
  return perform(receiveHook, session, input, contextOf(request, log));
}

async function confirmation(
  { sessions, perform, log }: Parts,
  request: FastifyRequest<Hooked>,
): Promise<string | undefined> {
  const { raw } = request;
  const params = addressIn(request);
  const session = await sessions.ofHook(params.id).catch((error: unknown) => {
    if (isUnauthorized(error)) return undefined;
    throw error;
  });
  const query = new URLSearchParams(queryOf(raw.url ?? ''));
  return session && (await perform(confirmHook, session, () => ({ ...params, query }), contextOf(request, log))).answer;
}

/** Lowercases the id. */
function addressIn({ params: { provider, id } }: FastifyRequest<Hooked>) {
  return { provider, id: id.toLowerCase() };
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UNAUTHORIZED';
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(403).send(errorBody(errors.permissionDenied('This is not how the provider of the account asks')));
}

function contextOf(request: FastifyRequest<Hooked>, log: Log): RequestContext {
  return {
    source: 'job',
    requestId: request.id,
    signal: departureOn(request.raw.socket),
    ...(request.arrivedAt !== undefined && { since: request.arrivedAt }),
    limitDecisions: request.limitDecisions,
    warnings: [],
    report: (error) => report(log, error, request),
  };
}
