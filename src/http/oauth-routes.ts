/** Routes of the OAuth server: discovery, registration, token and revocation. Its pages are in `browser`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Json } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import { agentsPath, restPrefix } from '../lib/url-paths.ts';
import { bucketOf } from '../limits/buckets.ts';
import { count, RateLimited, type Limiter } from '../limits/limiter.ts';
import { clientMetadata, registrationAnswer } from '../oauth/client-metadata.ts';
import type { OAuth } from '../oauth/oauth.ts';
import {
  registerPath,
  resourceMetadata,
  resourceMetadataPath,
  revokePath,
  serverMetadata,
  tokenPath,
} from '../oauth/places.ts';
import { countedAddress } from './client-address.ts';
import { asKithError, report } from './errors.ts';
import type { IssuerOf } from './issuer.ts';
import { setLimitHeaders } from './limit-headers.ts';

interface Parts {
  readonly oauth: OAuth;
  readonly issuerOf: IssuerOf;
  readonly limiter: Limiter | undefined;
  readonly log: Log;
}

/** Paths of the protected resources; '' is the whole service. */
const interfaces = ['', agentsPath, restPrefix];

const largestRequest = 64 * 1024;

/** Adds the routes. */
export function addOAuth(app: FastifyInstance, parts: Parts): void {
  addDocuments(app, parts.issuerOf);
  addRegister(app, parts);
  addForm(app, parts, tokenPath, 'oauth:token');
  addForm(app, parts, revokePath);
}

/** Discovery; apps also look for the documents below the path of the resource. */
function addDocuments(app: FastifyInstance, issuerOf: IssuerOf): void {
  for (const path of interfaces) {
    app.get(resourceMetadataPath(path), async (request, reply) =>
      sendDocument(reply, resourceMetadata(issuerOf(request), path)),
    );
    app.get(`/.well-known/oauth-authorization-server${path}`, async (request, reply) =>
      sendDocument(reply, serverMetadata(issuerOf(request))),
    );
  }
}

function sendDocument(reply: FastifyReply, document: object): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300').send(document);
}

/** RFC 7591: anyone may register an app; a person decides what it may do. */
function addRegister(app: FastifyInstance, { oauth, issuerOf, limiter, log }: Parts): void {
  app.route({
    method: 'POST',
    url: registerPath,
    bodyLimit: largestRequest,
    onRequest: async (request) => {
      await count(limiter, [bucketOf('oauth:register', { ip: countedAddress(request) })], request.limitDecisions);
    },
    errorHandler: (thrown, request, reply) => refuse(log, thrown, request, reply, 'invalid_client_metadata'),
    async handler(request, reply) {
      const known = clientMetadata(request.body as Json | undefined);
      if ('problem' in known) return sendProblem(reply, 400, known.error, known.problem);
      const answer = await oauth.answer(issuerOf(request), {
        method: 'POST',
        path: registerPath,
        contentType: 'application/json',
        body: JSON.stringify(known.metadata),
        address: countedAddress(request),
      });
      const body = JSON.parse(answer.body);
      return send(reply, answer.status, answer.status === 201 ? registrationAnswer(body) : body);
    },
  });
}

/** Token and revocation endpoints: forms of RFC 6749 and RFC 7009. */
function addForm(
  app: FastifyInstance,
  { oauth, issuerOf, limiter, log }: Parts,
  path: string,
  policy?: 'oauth:token',
): void {
  app.route({
    method: 'POST',
    url: path,
    config: { takesForm: true },
    bodyLimit: largestRequest,
    async onRequest(request) {
      if (policy) await count(limiter, [bucketOf(policy, { ip: countedAddress(request) })], request.limitDecisions);
    },
    errorHandler: (thrown, request, reply) => refuse(log, thrown, request, reply, 'invalid_request'),
    async handler(request, reply) {
      const { body } = request;
      if (!(body instanceof URLSearchParams))
        return sendProblem(
          reply,
          400,
          'invalid_request',
          'The body must be a form: send it with Content-Type: application/x-www-form-urlencoded',
        );
      const answer = await oauth.answer(issuerOf(request), {
        method: 'POST',
        path,
        contentType: 'application/x-www-form-urlencoded',
        body: String(body),
        address: countedAddress(request),
      });
      return send(reply, answer.status, answer.body === '' ? undefined : JSON.parse(answer.body));
    },
  });
}

/** Answers an error outside the protocol in the protocol's form. Rate limits are answered as everywhere. */
function refuse(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply, code: string): void {
  const error = asKithError(thrown);
  if (error instanceof RateLimited) throw error;
  report(log, error, request);
  reply.removeHeader('connection');
  if (error.code === 'UNAVAILABLE') {
    reply.header('retry-after', '1');
    sendProblem(reply, 503, 'temporarily_unavailable', error.message);
  } else if (error.code === 'INTERNAL_ERROR') sendProblem(reply, 500, 'server_error', error.message);
  else sendProblem(reply, 400, code, error.message);
}

function sendProblem(reply: FastifyReply, status: number, error: string, text: string): FastifyReply {
  return send(reply, status, { error, error_description: text });
}

function send(reply: FastifyReply, status: number, body: object | undefined): FastifyReply {
  setLimitHeaders(reply, reply.request.limitDecisions);
  return reply.code(status).send(body);
}
