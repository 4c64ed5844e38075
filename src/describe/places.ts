/** Where a request carries the properties of an operation's input; used for binding and for documentation. */
import type { TSchema } from 'typebox';
import { isObject, type JsonObject } from '../lib/json.ts';
import type { Endpoint } from './endpoint.ts';

/** The query parameter that all operations with an effect accept; without an input property of that name, the surface makes the dry run. */
export const dryRunParameter = 'dry_run';

/** The query parameter that all requests accept; it only concerns the format of the answer. */
export const prettyParameter = 'pretty';

/** The input properties by their place in a request; each has one place. */
export interface Places {
  readonly path: readonly string[];
  /** The header name by property. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Whether `dryRunParameter` is accepted in the query. */
  readonly dryRun: boolean;
}

/** The places of an endpoint. Properties that are not in path, header or body are in the query; with a merged body none are. */
export function placesOf({ path, operation, body }: Omit<Endpoint, 'method'>): Places {
  const properties = Object.entries(propertiesOf(operation.input));
  const inPath = [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
  const headers = new Map(
    properties.flatMap(([name, schema]): [string, string][] =>
      isObject(schema) && typeof schema.inHeader === 'string' ? [[name, schema.inHeader]] : [],
    ),
  );
  const others = properties.map(([name]) => name).filter((name) => !inPath.includes(name) && !headers.has(name));
  const isInBody = (name: string) => body === 'merged' || name === body?.under;
  const query = others.filter((name) => !isInBody(name));
  const dryRun = operation.effect !== 'read' && !query.includes(dryRunParameter);
  return { path: inPath, headers, query, body: others.filter(isInBody), dryRun };
}

/** The property schemas of an input, as JSON. */
export function propertiesOf(input: TSchema): JsonObject {
  return 'properties' in input && isObject(input.properties) ? input.properties : {};
}
