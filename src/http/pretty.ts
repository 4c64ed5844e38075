/** `?pretty`: indented JSON for reading in a terminal. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prettyParameter } from '../describe/places.ts';
import { errors } from '../errors.ts';
import { indented } from './indenting.ts';

export const jsonType = 'application/json; charset=utf-8';

const asked = new RegExp(`[?&]${prettyParameter}(?:=(?:true)?)?(?:&|$)`);

/** Whether to indent the answer, even an error. */
export function asksPretty(request: FastifyRequest): boolean {
  return asked.test(request.raw.url ?? '');
}

/** Throws VALIDATION_ERROR for an invalid value of the parameter. */
export function checkPretty(value: string | undefined): void {
  if (value === undefined || ['', 'true', 'false'].includes(value)) return;
  throw errors.validation(`${prettyParameter} must be true or false`, undefined, ['true', 'false']);
}

/** The ETag of the indented answer, which is another representation; `If-Match` treats both as the same record state. */
export function tagOfPretty(etag: string): string {
  return `${etag.slice(0, -1)}-${prettyParameter}"`;
}

/** Sends a short JSON body, indented if requested. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, body: object): FastifyReply {
  const text = JSON.stringify(body);
  return reply.type(jsonType).send(asksPretty(request) ? indented(text) : text);
}
