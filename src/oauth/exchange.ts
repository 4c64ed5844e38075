/** One request to the library and its answer, both in memory: the HTTP server sends the answer. */
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

export interface OAuthRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly contentType?: string;
  readonly body?: string;
  /** The client's address, as rate limits count it. */
  readonly address: string;
}

export interface OAuthAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Passes the address to parts of the library; client headers do not reach it. */
export const addressHeader = 'x-counted-address';

/** The request for the library, as if sent to the issuer, whatever proxies are in between. */
export function requestTo(issuer: string, { method, path, cookie, contentType, body = '', address }: OAuthRequest) {
  const { host, protocol } = new URL(issuer);
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = path;
  request.headers = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    accept: 'application/json',
    [addressHeader]: address,
    ...(cookie !== undefined && { cookie }),
    ...(contentType !== undefined && {
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
  if (body !== '') request.push(body);
  request.push(null);
  return request;
}

/** A response for the library to write to, and the answer read from it. */
export function heldResponse(request: IncomingMessage): { readonly response: ServerResponse; answer(): OAuthAnswer } {
  const response = new ServerResponse(request);
  let body = '';
  response.end = (chunk?: unknown) => {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) body = chunk.toString();
    return response;
  };
  return { response, answer: () => ({ status: response.statusCode, headers: response.getHeaders(), body }) };
}
