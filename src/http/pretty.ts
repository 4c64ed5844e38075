/** `?pretty`: JSON for people who read it on a terminal, with indents and a line end. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { prettyParameter } from '../describe/places.ts';
import { errors } from '../errors.ts';
import { indented } from './indenting.ts';

export const jsonType = 'application/json; charset=utf-8';

const asked = new RegExp(`[?&]${prettyParameter}(?:=(?:true)?)?(?:&|$)`);

/** Whether the answer is to be indented; so is a refusal of a request that is wrong otherwise. */
export function asksPretty(request: FastifyRequest): boolean {
  return asked.test(request.raw.url ?? '');
}

/** Throws VALIDATION_ERROR for what is neither yes nor no; `value` is what the query says, if anything. */
export function checkPretty(value: string | undefined): void {
  if (value === undefined || ['', 'true', 'false'].includes(value)) return;
  throw errors.validation(`${prettyParameter} must be true or false`, undefined, ['true', 'false']);
}

/** An indented answer is another representation, and has a tag of its own; the state of a record in it is the same for `If-Match`. */
export function tagOfPretty(etag: string): string {
  return `${etag.slice(0, -1)}-${prettyParameter}"`;
}

/** Sends a short body as JSON, as it was asked for. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, body: object): FastifyReply {
  const text = JSON.stringify(body);
  return reply.type(jsonType).send(asksPretty(request) ? indented(text) : text);
}
