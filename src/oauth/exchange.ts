/** One request to the library and its answer. Both are held in memory: what goes over the connection is for whoever serves it. */
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

export interface OAuthRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly contentType?: string;
  readonly body?: string;
  /** Of the client, as budgets count it. */
  readonly address: string;
}

export interface OAuthAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** By which the library's own parts are told the address: no header of the client comes this far. */
export const addressHeader = 'x-counted-address';

/** A request as the library reads it: it came to the issuer, whatever proxies are on the way. */
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

/** Where the library writes its answer to, and what that is when it has. */
export function heldResponse(request: IncomingMessage): { readonly response: ServerResponse; answer(): OAuthAnswer } {
  const response = new ServerResponse(request);
  let body = '';
  response.end = (chunk?: unknown) => {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) body = chunk.toString();
    return response;
  };
  return { response, answer: () => ({ status: response.statusCode, headers: response.getHeaders(), body }) };
}
