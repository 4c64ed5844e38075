/** The parameters of an endpoint: those of its operation's input and common ones; repeated ones become components. */
import type { JsonSchema } from '../fields/json-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { canBeTried, knowsTags, namesChangeSet } from './endpoint.ts';
import { exampleOf } from './example.ts';
import { dryRunParameter, placesOf, prettyParameter } from './places.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  /** Whether the name without a value is meaningful. */
  readonly allowEmptyValue?: true;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

const dryRun: Parameter = {
  name: dryRunParameter,
  in: 'query',
  description: 'Answer as usual, and keep nothing',
  schema: { type: 'boolean', default: false },
};
const pretty: Parameter = {
  name: prettyParameter,
  in: 'query',
  allowEmptyValue: true,
  description: 'Answer with indents and a line end, for people',
  schema: { type: 'boolean', default: false },
};
const timeZone: Parameter = {
  name: 'Time-Zone',
  in: 'header',
  description: "Where a day begins for this request, an IANA name; the organization's when absent",
  schema: { type: 'string', examples: ['Europe/Berlin'] },
};
const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Requests with the same key are carried out once, within 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-4711'] },
};
const changeSet: Parameter = {
  name: 'Change-Set',
  in: 'header',
  description: 'A UUID that you generate; writes with the same one are undone together',
  schema: { type: 'string', format: 'uuid' },
};
const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An ETag that the client has: 304 when it still holds',
  schema: { type: 'string' },
};

/** The properties of a body or of the parameters, by input name. */
export interface Input {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** All parameters of the endpoint. */
export function parametersOf(endpoint: Endpoint, input: Input): readonly Parameter[] {
  const { operation, method } = endpoint;
  const places = placesOf(endpoint);
  return [
    ...places.path.filter((name) => name in input.properties).map((name) => parameter(name, 'path', name, input)),
    // In OpenAPI the content types of the answer document Accept.
    ...[...places.headers]
      .filter(([, header]) => header !== 'Accept')
      .map(([name, header]) => parameter(header, 'header', name, input)),
    ...places.query.map((name) => parameter(name, 'query', name, input)),
    ...(places.dryRun && canBeTried(operation) ? [dryRun] : []),
    ...(operation.effect !== 'read' && method === 'POST' ? [idempotencyKey] : []),
    ...(namesChangeSet(operation) ? [changeSet] : []),
    ...(knowsTags(endpoint) ? [ifNoneMatch] : []),
    pretty,
    timeZone,
  ];
}

function parameter(name: string, place: Parameter['in'], key: string, { properties, required }: Input): Parameter {
  const { description, examples, ...schema } = properties[key] ?? {};
  return {
    name,
    in: place,
    ...((place === 'path' || required.includes(key)) && { required: true as const }),
    ...(description !== undefined && { description }),
    // An empty schema would admit more than texts in a URL.
    schema: Object.keys(schema).length === 0 ? { type: 'string' } : schema,
    ...(examples && { example: exampleOf({ examples }, () => ({})) }),
  };
}

/** Collects parameters that several endpoints share. */
export class ParameterPool {
  readonly components: Record<string, Parameter> = {};

  /** Returns a reference if the name is free or has the same meaning; `scope` distinguishes parameters of an object. */
  add(parameter: Parameter, scope: string | undefined): Parameter | { readonly $ref: string } {
    const text = JSON.stringify(parameter);
    const names = [parameter.name, ...(scope === undefined ? [] : [`${scope}.${parameter.name}`])];
    for (const name of names) {
      const known = Object.hasOwn(this.components, name) ? this.components[name] : undefined;
      if (known && JSON.stringify(known) !== text) continue;
      this.components[name] = parameter;
      return { $ref: `#/components/parameters/${name}` };
    }
    return parameter;
  }
}
