/**
 * Maps errors to answers; only this file knows their statuses. Anything but a KithError is a defect: logged with the
 * request's id, and answered as INTERNAL_ERROR. [spec: Errors]
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errors, KithError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { messageForLog } from '../lib/thrown.ts';
import { warnSparingly } from '../lib/warn-sparingly.ts';
import { RateLimited } from '../limits/limiter.ts';
import type { Log } from '../lib/log.ts';
import { agentsPath, restPrefix } from '../lib/url-paths.ts';
import { resourceMetadataPath, scope } from '../oauth/places.ts';
import { errorBody } from '../operations/door/error-body.ts';
import { largestBody } from '../operations/inputs.ts';
import { wantsJson } from './body.ts';
import { setLimitHeaders } from './limit-headers.ts';
import { methodHint } from './path-hints.ts';
import { sendJson } from './pretty.ts';

const statuses: Partial<Record<ErrorCode, number>> = {
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  STALE: 412,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
};

/** The status of all other codes. [spec: Errors] */
const defaultStatus = 400;

/** Answers a failed request. */
export function answerError(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = asKithError(thrown);
  report(log, error, request);
  // Fastify would close the connection while the body is being sent, and the client would never read the answer.
  reply.removeHeader('connection');
  setLimitHeaders(reply, error instanceof RateLimited ? [error.decision] : (request.limitDecisions ?? []));
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', challengeTo(request));
  setRetryAfter(error, reply);
  sendJson(request, reply.code(statusOf(error, request)), errorBody(error));
}

/** Sets `Retry-After` if known. */
export function setRetryAfter(error: KithError, reply: FastifyReply): void {
  if (error.code === 'UNAVAILABLE') reply.header('retry-after', '1');
  if (error instanceof RateLimited) reply.header('retry-after', String(error.decision.retryAfterSeconds));
}

/** The challenge for apps: where to get a token, and with which scope. [RFC 6750, RFC 9728] */
function challengeTo(request: FastifyRequest): string {
  const url = request.routeOptions?.url ?? '';
  const place = [agentsPath, restPrefix].find((prefix) => url === prefix || url.startsWith(`${prefix}/`));
  const issuer = place === undefined ? undefined : request.server.issuerOf?.(request);
  const parts = [
    ...(place !== undefined && issuer !== undefined
      ? [`resource_metadata="${issuer}${resourceMetadataPath(place)}"`]
      : []),
    ...(place === agentsPath ? [`scope="${scope}"`] : []),
  ];
  return parts.length === 0 ? 'Bearer' : `Bearer ${parts.join(', ')}`;
}

/** Answers a method that the path does not support; `allow` lists the supported ones. */
export function answerWrongMethod(allow: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  const hint = methodHint(request.method, request.url.split('?', 1)[0] ?? '');
  const message = `${request.method} is not supported here; use ${allow.join(', ')}${hint}`;
  setLimitHeaders(reply, request.limitDecisions);
  reply.code(405).header('allow', allow.join(', '));
  sendJson(request, reply, errorBody(errors.notSupported(message)));
}

/** The status for the error. */
export function statusOf(error: KithError, request: FastifyRequest): number {
  const route = request.routeOptions?.url;
  // [spec: Schema] An unknown object is 404 here.
  if (error.code === 'INVALID_OBJECT' && route === `${restPrefix}/schema/:object`) return 404;
  // [spec: Errors] An internal error of a move has the usual status.
  if (error.code === 'INTERNAL_ERROR' && route === `${restPrefix}/pipelines/:object/:id/move`) return defaultStatus;
  // [spec: Rate limits] A limit that the operation itself counts has the usual status.
  if (error.code === 'RATE_LIMITED' && !(error instanceof RateLimited)) return defaultStatus;
  return statuses[error.code] ?? defaultStatus;
}

/** The error to answer with. */
export function asKithError(thrown: unknown): KithError {
  if (thrown instanceof KithError) return thrown;
  return isRefusal(thrown) ? errors.validation(refusalMessage(thrown)) : errors.internal(thrown);
}

/** Whether Fastify, the inflater or the connection refused the request. */
function isRefusal(thrown: unknown): thrown is FastifyError {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('statusCode' in thrown)) return false;
  return typeof thrown.code === 'string' && typeof thrown.statusCode === 'number' && thrown.statusCode < 500;
}

function refusalMessage(refusal: FastifyError): string {
  switch (refusal.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return `The body is larger than ${largestBody / 1024 / 1024} MiB`;
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return wantsJson;
    case 'FST_ERR_BAD_URL':
      return 'The address has broken percent-encoding';
    default:
      return refusal.code.startsWith('Z_')
        ? 'The body is not what its Content-Encoding, gzip, says'
        : `The request could not be read: ${refusal.message}`;
  }
}

/** Logs the cause of an error with the request; errors without a cause are not logged. */
export function report(log: Log, { code, message, cause }: KithError, request: FastifyRequest): void {
  if (cause === undefined) return;
  const fields = { requestId: request.id, method: request.method, route: request.routeOptions?.url };
  // While the database is away every request fails the same way: log it sparingly and without a stack.
  if (code === 'UNAVAILABLE') warnSparingly(log, { ...fields, reason: messageForLog(cause) }, message);
  else log.error({ ...fields, error: cause }, `${code}: ${message}`);
}

/** A raw HTTP answer to an unreadable request: headers too large or too slow, or not HTTP. */
export function rawRefusal(code: string | undefined): string {
  const [status, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The address and headers are larger than 64 KiB']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time']
        : ['400 Bad Request', 'This is not an HTTP request'];
  const body = JSON.stringify(errorBody(errors.validation(message)));
  return [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
