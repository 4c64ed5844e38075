/** The client's methods: each operation of the service, by its first route, under a consistent name. */
import type { DescribedOperation } from '../../src/describe/endpoint.ts';
import { shown } from '../../src/describe/inline.ts';
import { placesOf } from '../../src/describe/places.ts';
import type { JsonSchema } from '../../src/fields/json-schema.ts';
import type { Route } from '../../src/http/bind.ts';
import { routes } from '../../src/http/routes.ts';
import { statementLimits } from '../../src/postgres/database.ts';

/** How a list is paged: `items` is the key of its rows, and the value of `next` becomes the parameter `cursor`. */
export interface Paging {
  readonly items: string;
  readonly cursor: string;
  readonly next: string;
  /** The key that says whether there is more, if `next` is always present. */
  readonly more?: string;
}

export interface Method {
  readonly group: string;
  readonly name: string;
  readonly route: Route;
  /** The path parameters, in order. */
  readonly path: readonly string[];
  /** The body's schema; undefined if there is none. */
  readonly body: JsonSchema | undefined;
  /** The query parameters; undefined if there are none. */
  readonly query: JsonSchema | undefined;
  readonly answer: JsonSchema;
  /** Whether input or answer depends on the types of the object in the path. */
  readonly isTyped: boolean;
  readonly headers: ReadonlySet<string>;
  /** Whether `dry_run` is allowed. */
  readonly canBeTried: boolean;
  /** Whether repeats are detected by an Idempotency-Key. */
  readonly takesKey: boolean;
  readonly isSafe: boolean;
  readonly isStream: boolean;
  /** Whether it returns a file, always or on request. */
  readonly download: 'always' | 'also' | undefined;
  /** The service's time limit. */
  readonly seconds: number;
  readonly paging: Paging | undefined;
}

/** Groups by the first part of an operation's id; operations on one thing are in the group of those on several. */
const groups: Readonly<Record<string, string>> = {
  account: 'accounts',
  note: 'notes',
  task: 'tasks',
  list: 'lists',
  listEntry: 'listEntries',
  dashboard: 'dashboards',
  chart: 'charts',
  view: 'views',
  webhook: 'webhooks',
  changeSet: 'changeSets',
  message: 'messages',
  thread: 'inbox',
};

/** Names for operations whose default name another operation of the group has. */
const names: Readonly<Record<string, string>> = { 'inbox.mark': 'markRead', 'thread.mark': 'mark' };

/** All methods, in the order of the routes. */
export function clientMethods(): readonly Method[] {
  const byOperation = Map.groupBy(routes, ({ operation }) => operation.id);
  return [...byOperation.values()].map((all) => methodOf(all.find(takesKey) ?? all[0] ?? missing()));
}

function methodOf(route: Route): Method {
  const { operation } = route;
  const [group = '', last = ''] = operation.id.split('.');
  const places = placesOf(route);
  let isTyped = false;
  const shapes = (schema: DescribedOperation['input']) =>
    shown(schema, (shape) => {
      if (!places.path.includes('object')) return undefined;
      isTyped = true;
      return { $ref: `R["${{ read: 'record', create: 'create', update: 'update' }[shape]}"]` };
    });
  const input = shapes(operation.input);
  const answer = shapes(operation.output);
  const isStream = operation.downloads?.includes('text/event-stream') === true;
  const always = Object.keys(answer).length === 0;
  return {
    group: groups[group] ?? group,
    name: names[operation.id] ?? last,
    route,
    path: places.path,
    body: bodyOf(route, input, places.body),
    query: places.query.length === 0 ? undefined : part(input, places.query),
    answer,
    isTyped,
    headers: new Set(places.headers.values()),
    canBeTried: places.dryRun && operation.effect !== 'external',
    takesKey: takesKey(route),
    isSafe: operation.effect === 'read',
    isStream,
    download: isStream || !operation.downloads ? undefined : always ? 'always' : 'also',
    seconds: statementLimits[operation.cost] / 1_000,
    paging: pagingOf(input, answer),
  };
}

function bodyOf({ body }: Route, input: JsonSchema, inBody: readonly string[]): JsonSchema | undefined {
  if (body === undefined || inBody.length === 0) return undefined;
  return body === 'merged' ? part(input, inBody) : input.properties?.[body.under];
}

/** The properties with the wanted names. */
function part({ properties = {}, required = [] }: JsonSchema, wanted: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(wanted.map((name) => [name, properties[name] ?? {}])),
    required: required.filter((name) => wanted.includes(name)),
  };
}

/** Paging by cursors, or by positions of the feed of changes. [spec: Pagination] */
function pagingOf({ properties: input = {} }: JsonSchema, answer: JsonSchema): Paging | undefined {
  const { properties: output = {} } = answer.anyOf?.find(({ properties = {} }) => 'nextCursor' in properties) ?? answer;
  const items = Object.keys(output).find((name) => output[name]?.type === 'array');
  if (items === undefined) return undefined;
  if ('cursor' in input && 'nextCursor' in output) return { items, cursor: 'cursor', next: 'nextCursor' };
  if ('after' in input && 'position' in output) return { items, cursor: 'after', next: 'position', more: 'has_more' };
  return undefined;
}

function takesKey({ method, operation }: Route): boolean {
  return method === 'POST' && operation.effect !== 'read';
}

function missing(): never {
  throw new Error('An operation without a route');
}
