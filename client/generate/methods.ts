/** The methods of the client: the operations of the service, each by its first route, under names that go together. */
import type { DescribedOperation } from '../../src/describe/endpoint.ts';
import { shown } from '../../src/describe/inline.ts';
import { placesOf } from '../../src/describe/places.ts';
import type { JsonSchema } from '../../src/fields/json-schema.ts';
import type { Route } from '../../src/http/bind.ts';
import { routes } from '../../src/http/routes.ts';
import { statementLimits } from '../../src/postgres/database.ts';

/** How an answer leads to the next: `items` of it, and its key `next`, which goes on as the parameter `cursor`. */
export interface Paging {
  readonly items: string;
  readonly cursor: string;
  readonly next: string;
  /** The key that says whether there is more, where `next` is always there. */
  readonly more?: string;
}

export interface Method {
  readonly group: string;
  readonly name: string;
  readonly route: Route;
  /** What stands in the path, in its order. */
  readonly path: readonly string[];
  /** The body's own schema; undefined where there is none. */
  readonly body: JsonSchema | undefined;
  /** Parameters of the query; undefined where there are none. */
  readonly query: JsonSchema | undefined;
  readonly answer: JsonSchema;
  /** Whether an input or the answer is of the object that the path names. */
  readonly isTyped: boolean;
  readonly headers: ReadonlySet<string>;
  /** Whether `dry_run` may come beside its input. */
  readonly canBeTried: boolean;
  /** Whether a repeat is told by an Idempotency-Key. */
  readonly takesKey: boolean;
  readonly isSafe: boolean;
  readonly isStream: boolean;
  /** Whether a file is answered, always or where that is asked for. */
  readonly download: 'always' | 'also' | undefined;
  /** How long the service works at it at most. */
  readonly seconds: number;
  readonly paging: Paging | undefined;
}

/** Operations on one thing are told beside those on several. */
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

/** Names that are taken by another operation of the group. */
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

/** The properties of that name. */
function part({ properties = {}, required = [] }: JsonSchema, wanted: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(wanted.map((name) => [name, properties[name] ?? {}])),
    required: required.filter((name) => wanted.includes(name)),
  };
}

/** [spec: Pagination] Cursors, and the positions of the feed of changes. */
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
