/**
 * Binds a route to its operation: builds the operation's input from path, query and body, and sends the answer. `perform`
 * validates the input; here texts are only converted to numbers and booleans.
 */
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { namesChangeSet, type Endpoint } from '../describe/endpoint.ts';
import { dryRunParameter, placesOf, prettyParameter, propertiesOf } from '../describe/places.ts';
import { errors, quoted } from '../errors.ts';
import { isObject } from '../lib/json.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import { newId } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { queryOf } from '../lib/query-of.ts';
import type { WriteMode } from '../operations/door/write-mode.ts';
import type { Operation, PublicOperation } from '../operations/door/operation.ts';
import type { Perform } from '../operations/door/perform.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { Session } from '../operations/door/sessions.ts';
import { sendAnswer } from './answer.ts';
import { FileBody, wantsJson } from './body.ts';
import { holdingBody } from './body-share.ts';
import { readChangeSet } from './change-set.ts';
import { countedAddress } from './client-address.ts';
import { departureOn } from './departure.ts';
import { report } from './errors.ts';
import { checkPretty } from './pretty.ts';
import { readQuery } from './query-string.ts';
import { readTimeZone } from './time-zone.ts';
import { readWriteMode } from './write-mode.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route below /api/v1. */
export interface Route extends Endpoint {
  readonly method: Method;
  readonly operation: Operation | PublicOperation;
}

/** The handler of a route; `closing` is aborted when the server begins to stop. */
export function bind(route: Route, perform: Perform, log: Log, closing: AbortSignal): RouteHandlerMethod {
  const read = inputReader(route);
  const { operation } = route;
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const timeZone = readTimeZone(request.headers['time-zone']);
    const writes = operation.effect !== 'read' && !operation.isPublic;
    const chosen = writes ? readChangeSet(request.headers['change-set']) : undefined;
    // Reads write nothing to history.
    const changeSet = operation.effect === 'read' ? undefined : (chosen ?? newId());
    const context: RequestContext = {
      source: 'api',
      requestId: request.id,
      address: countedAddress(request),
      calledAt: `${request.protocol}://${request.host}`,
      signal: departureOn(request.raw.socket),
      closing,
      ...(request.arrivedAt !== undefined && { since: request.arrivedAt }),
      limitDecisions: request.limitDecisions,
      warnings: [],
      report: (error) => report(log, error, request),
      ...(timeZone !== undefined && { timeZone }),
      ...(changeSet !== undefined && {
        ...(writes && { changeSet, isChangeSetChosen: chosen !== undefined }),
        writeMode: () => writeModeOf(route, request, reply, changeSet),
      }),
    };
    const input = () => read(request);
    const answer = operation.isPublic
      ? await perform(operation, { address: countedAddress(request) }, input, context)
      : await perform(operation, authenticated(request), input, context);
    await sendAnswer(log, operation, answer, context, reply);
    return reply;
  };
  return (request, reply) => holdingBody(request, () => handle(request, reply));
}

function authenticated({ session }: FastifyRequest): Session {
  if (session === null) throw errors.unauthorized();
  return session;
}

function inputReader(route: Route): (request: FastifyRequest) => object {
  const { operation, body } = route;
  const places = placesOf(route);
  const headers = [...places.headers].map(([name, header]) => [name, header.toLowerCase()] as const);
  const list = listIn(operation);
  const needsBody = body !== undefined && (body !== 'merged' || operation.isPartial === true);
  const queryNames = [...places.query, ...(places.dryRun ? [dryRunParameter] : []), prettyParameter];
  // With a file as the body, the other parameters come in the query.
  const namesBesideFile = [...queryNames, ...places.body.filter((name) => !ofFile.includes(name))];
  const kinds = new Map(Object.entries(propertiesOf(operation.input)).map(([name, schema]) => [name, kindOf(schema)]));
  return (request) => {
    const file = request.body instanceof FileBody ? request.body : undefined;
    if (file && !operation.takesFile) throw errors.validation(wantsJson);
    const query = readQuery(queryOf(request.raw.url ?? ''), file ? namesBesideFile : queryNames);
    checkPretty(query.get(prettyParameter));
    query.delete(prettyParameter);
    if (places.dryRun) query.delete(dryRunParameter);
    if (needsBody && request.body === undefined) throw errors.validation('A JSON object is needed as the body');
    const params = request.params as JsonObject;
    const input: { [name: string]: unknown } = {
      ...(file ? inPlaceOf(list, file) : body !== undefined && readBody(request.body, body, params, list)),
    };
    for (const [name, text] of query) input[name] = convert(text, kinds.get(name));
    Object.assign(input, params);
    for (const [name, header] of headers) {
      const value = request.headers[header];
      if (value !== undefined) input[name] = String(value);
    }
    return input;
  };
}

const noQuery: ReadonlyMap<string, string> = new Map();

/** The write mode. The query was validated before. A replayed answer's headers are set here, so that a refusal has them, too. */
async function writeModeOf(
  { path, operation }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  changeSet: string,
): Promise<WriteMode | undefined> {
  const { method, params, headers, body } = request;
  const text = queryOf(request.raw.url ?? '');
  const query = text === '' ? noQuery : new Map(new URLSearchParams(text));
  const idempotencyKey = headers['idempotency-key'];
  const replayed = (earlier: string | undefined) => {
    reply.header('idempotent-replayed', 'true').removeHeader('change-set');
    if (earlier !== undefined && namesChangeSet(operation)) reply.header('change-set', earlier);
  };
  const asked = { method, route: path, params, query, body, idempotencyKey, changeSet };
  const writeMode = await readWriteMode(asked, replayed);
  if (writeMode?.dryRun) reply.header('dry-run', 'true');
  else if (namesChangeSet(operation)) reply.header('change-set', changeSet);
  return writeMode;
}

/** The body as input. `list` is the key to use if the body is an array. Values of the path may be repeated in the body. */
function readBody(
  body: unknown,
  place: NonNullable<Route['body']>,
  params: JsonObject,
  list: string | undefined,
): JsonObject {
  if (body !== undefined && !isObject(body)) {
    const shape = list !== undefined && Array.isArray(body) ? `: { "${list}": [ … ] }, not the list alone` : '';
    const instead = Array.isArray(body) ? ', not a list' : '';
    throw errors.validation(`The body must be a JSON object${shape || instead}`);
  }
  if (place !== 'merged') return { [place.under]: body ?? {} };
  const differs = ([name, given]: [string, Json]) => Object.hasOwn(body ?? {}, name) && body?.[name] !== given;
  const [double] = Object.entries(params).find(differs) ?? [];
  if (double !== undefined)
    throw errors.validation(`${quoted(double)} is given by the path and does not belong in the body`);
  return body ?? {};
}

/** Keys that the file itself supplies. */
const ofFile: readonly string[] = ['data', 'encoding', 'format'];

/** The input for a file body; the required list is empty then. */
function inPlaceOf(list: string | undefined, { bytes, format }: FileBody): object {
  return { ...(list !== undefined && { [list]: [] }), data: bytes, format };
}

/** The first array that the input requires. */
function listIn({ input }: Route['operation']): string | undefined {
  const required = 'required' in input && Array.isArray(input.required) ? input.required : [];
  const lists = Object.entries(propertiesOf(input)).filter(([, schema]) => isObject(schema) && schema.type === 'array');
  return lists.map(([name]) => name).find((name) => required.includes(name));
}

type Kind = 'number' | 'boolean' | 'text';

function kindOf(schema: Json): Kind {
  if (!isObject(schema)) return 'text';
  const types = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].map(
    (part) => isObject(part) && part.type,
  );
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'text';
}

const decimal = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Converts a text; one that does not fit stays text, so that the schema check words the error. */
function convert(text: string, kind: Kind | undefined): string | number | boolean {
  if (kind === 'number' && decimal.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
