/** Where a request gives what its operation takes. The interface is bound by this, and described by it. */
import type { TSchema } from 'typebox';
import { isObject, type JsonObject } from '../lib/json.ts';
import type { Endpoint } from './endpoint.ts';

/** The query parameter that every operation with an effect knows: one whose input does not have it is carried out as a trial by the surface. */
export const dryRunParameter = 'dry_run';

/** The query parameter that every request knows: it is of the answer's looks, and no operation's input. */
export const prettyParameter = 'pretty';

/** Properties of an operation's input by where they come from; each comes from there alone. */
export interface Places {
  readonly path: readonly string[];
  /** The name of the header by that of the property. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Whether `dryRunParameter` may come in the query beside them; where it cannot be tried, the refusal says so. */
  readonly dryRun: boolean;
}

/** What neither path, header nor body gives comes in the query; with a merged body nothing does. */
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

/** The schemas of an input's properties, as JSON. */
export function propertiesOf(input: TSchema): JsonObject {
  return 'properties' in input && isObject(input.properties) ? input.properties : {};
}
