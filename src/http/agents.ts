/** `POST /mcp`: checks host name, caller and body size of agents' messages, whose contents HTTP does not interpret. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { errors, KithError } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { agentsPath } from '../lib/url-paths.ts';
import type { AnswerAgent } from '../mcp/exchange.ts';
import type { Sessions } from '../operations/door/sessions.ts';
import { UnstorableBody } from './body.ts';
import { holdingBody } from './body-share.ts';
import { countedAddress } from './client-address.ts';
import { departureOn } from './departure.ts';
import { asKithError, report } from './errors.ts';
import type { IsKnownHost } from './known-hosts.ts';
import { setLimitHeaders } from './limit-headers.ts';
import './request-state.ts';

interface Parts {
  readonly sessions: Pick<Sessions, 'open'>;
  readonly answerAgent: AnswerAgent;
  readonly isKnownHost: IsKnownHost;
  /** The hooks that inflate and count bodies. */
  readonly preParsing: preParsingHookHandler[];
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** Adds the route. Refusals before its handler are answered as in REST, except for a body that is not JSON. */
export function addAgents(app: FastifyInstance, parts: Parts): void {
  const { sessions, isKnownHost, preParsing } = parts;
  app.route({
    method: 'POST',
    url: agentsPath,
    preParsing,
    config: { takesUnstorable: true },
    async onRequest(request, reply) {
      if (!isKnownHost(request.headers)) return refuseHost(request, reply);
      request.session = await sessions.open(request.headers.authorization);
      return undefined;
    },
    errorHandler(error, request, reply) {
      const known = asKithError(error);
      // Only errors of the body get an answer in the protocol; others are answered as in REST.
      if (known.code !== 'VALIDATION_ERROR') throw known;
      sendProtocolError(request, reply, refusalOf(error), known.message);
    },
    handler: (request, reply) => holdingBody(request, () => answer(parts, request, reply)),
  });
}

async function answer(
  { answerAgent, log, closing }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { session, headers, body, limitDecisions } = request;
  if (session === null) throw errors.unauthorized();
  const answered = await answerAgent({
    headers,
    body: body instanceof UnstorableBody ? body.value : body,
    ...(body instanceof UnstorableBody && { problem: body.problem }),
    session,
    context: {
      requestId: request.id,
      address: countedAddress(request),
      signal: departureOn(request.raw.socket),
      closing,
      ...(request.arrivedAt !== undefined && { since: request.arrivedAt }),
      limitDecisions,
      report: (error) => report(log, error, request),
    },
  });
  setLimitHeaders(reply, limitDecisions);
  const denied = limitDecisions.find(({ allowed }) => !allowed);
  if (denied) reply.header('retry-after', String(denied.retryAfterSeconds));
  reply.code(answered.status).headers(answered.headers);
  return answered.body === undefined ? reply.send() : reply.send(Readable.from(answered.body, { objectMode: false }));
}

/** The HTTP status and JSON-RPC code for an unreadable body. */
function refusalOf(error: unknown): { readonly status: number; readonly code: number } {
  const code = error instanceof KithError ? undefined : (error as { code?: unknown }).code;
  return code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? { status: 413, code: -32_600 } : { status: 400, code: -32_700 };
}

function refuseHost(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message =
    'This service is not known by the name that it was called by, or a page of another one asks: the operator sets KITH_PUBLIC_URL to its address';
  return sendProtocolError(request, reply, { status: 403, code: -32_000 }, message);
}

function sendProtocolError(
  { limitDecisions }: FastifyRequest,
  reply: FastifyReply,
  { status, code }: { readonly status: number; readonly code: number },
  message: string,
): FastifyReply {
  setLimitHeaders(reply, limitDecisions);
  // If the connection were closed while the body is being sent, the client would never read the answer.
  reply.removeHeader('connection');
  return reply.code(status).send({ jsonrpc: '2.0', id: null, error: { code, message } });
}
