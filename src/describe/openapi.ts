/** The OpenAPI 3.1 document for one caller, from the routes, their operations' schemas and the caller's objects. */
import type { TSchema } from 'typebox';
import { mayKnow, type Policies } from '../access/policies.ts';
import type { JsonSchema } from '../fields/json-schema.ts';
import type { Json } from '../lib/json.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import { hasRecords, type ObjectDef } from '../model/model.ts';
import type { QueryContext } from '../query/context.ts';
import { componentRef } from './annotations.ts';
import { headersOf, sharedHeaders, sharedResponses, sharedSchemas } from './components.ts';
import {
  canBeTried,
  fileTypes,
  describedPath,
  isPerObject,
  knowsTags,
  mayUse,
  namesChangeSet,
  operationName,
  tagOf,
} from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { exampleOf } from './example.ts';
import { filterable } from './filterable.ts';
import { withoutHidden } from './hidden-keys.ts';
import { shown } from './inline.ts';
import { nameObjects, Names } from './names.ts';
import type { ObjectNames } from './names.ts';
import { ParameterPool, parametersOf } from './parameters.ts';
import type { Input } from './parameters.ts';
import { placesOf } from './places.ts';
import { recordSchemas } from './record-schemas.ts';

export interface Interface {
  /** The prefix of paths: `/api/v1`. */
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
  readonly version: string;
}

/** The caller of the document. */
export type Reader = QueryContext & { readonly visibility: Policies };

/** An object in the document. */
interface DescribedObject {
  readonly object: ObjectDef;
  readonly names: ObjectNames;
  readonly filters: string;
}

/** Makes the document in slices: for thousands of fields it takes most of a second. */
export async function openApiDocument(reader: Reader, { prefix, endpoints, version }: Interface): Promise<object> {
  const { described, schemas } = await describeObjects(reader);
  const document = new Paths(reader, described, schemas);
  for (const endpoint of endpoints) if (!isPerObject(endpoint)) document.add(prefix, endpoint);
  const perObject = endpoints.filter(isPerObject);
  for (const each of described) {
    for (const endpoint of perObject) {
      if (sliceIsOver()) await nextSlice();
      document.add(prefix, endpoint, each);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version,
      description: `The CRM data service: what the owner of this token may do in ${reader.model.organizationName}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ token: [] }],
    tags: [...document.tags].map((name) => ({ name, description: `Section “${name}” of the interface.` })),
    paths: document.paths,
    components: {
      schemas,
      parameters: document.parameters.components,
      headers: sharedHeaders,
      responses: sharedResponses,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token: `Authorization: Bearer svc_…`' },
      },
    },
  };
}

interface Described {
  readonly described: readonly DescribedObject[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

async function describeObjects(reader: Reader): Promise<Described> {
  const objects = [...reader.model.objects.values()].filter(
    (object) => object.kind !== 'internal' && mayKnow(object, reader.visibility),
  );
  const taken = new Names(Object.keys(sharedSchemas));
  const named = nameObjects(objects, taken);
  const described: DescribedObject[] = [];
  const schemas: Record<string, JsonSchema> = { ...sharedSchemas };
  for (const object of objects) {
    if (sliceIsOver()) await nextSlice();
    const names = named.get(object);
    if (!names) continue;
    described.push({ object, names, filters: filterable(reader, object) });
    if (!hasRecords(object)) continue;
    const { singular } = names;
    const { read, create, update, options } = recordSchemas(object, reader.visibility, singular, taken);
    // With `fields`, answers may lack any key but the id.
    schemas[singular] = { ...read, required: ['id'] };
    if (reader.visibility.mayCreate(object.name)) schemas[`${singular}Create`] = create;
    if (reader.visibility.updates(object.name) !== 'none') schemas[`${singular}Update`] = update;
    Object.assign(schemas, options);
  }
  return { described, schemas };
}

/** The paths so far, and their shared parts. */
class Paths {
  readonly paths: Record<string, Record<string, object>> = {};
  readonly tags = new Set<string>();
  readonly parameters = new ParameterPool();
  readonly #reader: Reader;
  readonly #described: readonly DescribedObject[];
  readonly #schemas: Readonly<Record<string, JsonSchema>>;
  readonly #ids = new Set<string>();
  /** Documented schemas that do not depend on the object, each converted once. */
  readonly #plain = new Map<TSchema, JsonSchema>();
  readonly #examples = new Map<JsonSchema, Json>();

  constructor(reader: Reader, described: readonly DescribedObject[], schemas: Readonly<Record<string, JsonSchema>>) {
    this.#reader = reader;
    this.#described = described;
    this.#schemas = schemas;
  }

  add(prefix: string, endpoint: Endpoint, about?: DescribedObject): void {
    const { model, visibility } = this.#reader;
    if (!mayUse(endpoint, visibility, [...model.objects.values()], about?.object)) return;
    const path = prefix + describedPath(endpoint, about?.object);
    this.paths[path] = { ...this.paths[path], [endpoint.method.toLowerCase()]: this.#operation(endpoint, about) };
  }

  #operation(endpoint: Endpoint, about: DescribedObject | undefined): object {
    const { operation } = endpoint;
    const tag = tagOf(endpoint);
    this.tags.add(tag);
    const input = this.#input(endpoint, about);
    return {
      operationId: this.#operationId(endpoint, about),
      tags: [tag],
      // For pages that group operations by object.
      ...(about && { 'x-object': about.object.label }),
      // The method does not tell: some POST requests only read, and some PUT requests cannot be undone.
      'x-effect': operation.effect,
      summary: about ? `${about.names.plural}: ${lowerFirst(operation.summary)}` : operation.summary,
      description: descriptionOf(endpoint),
      parameters: parametersOf(endpoint, input).map((one) => this.parameters.add(one, about?.names.singular)),
      ...(operation.isPublic && { security: [] }),
      ...this.#requestBody(endpoint, input),
      responses: this.#responses(endpoint, about),
    };
  }

  #operationId(endpoint: Endpoint, about: DescribedObject | undefined): string {
    const plain = operationName(endpoint, about?.names, false);
    const id = this.#ids.has(plain) ? operationName(endpoint, about?.names, true) : plain;
    this.#ids.add(id);
    return id;
  }

  #input(endpoint: Endpoint, about: DescribedObject | undefined): Input {
    const { properties = {}, required = [] } = this.#shownOf(endpoint, 'input', about);
    const shown = Object.entries(properties).flatMap(([name, schema]): [string, JsonSchema][] => {
      if (name !== 'object') return [[name, about && name === 'filters' ? withFields(schema, about) : schema]];
      const names = this.#described.map(({ object }) => object.name);
      return about ? [] : [[name, names.length === 0 ? schema : { ...schema, type: 'string', enum: names }]];
    });
    return { properties: Object.fromEntries(shown), required };
  }

  #requestBody(endpoint: Endpoint, { properties, required }: Input): object {
    const { body } = endpoint;
    if (body === undefined) return {};
    const inBody = placesOf(endpoint).body;
    const own = Object.entries(properties).filter(([name]) => inBody.includes(name));
    const needed = required.filter((name) => inBody.includes(name));
    const schema: JsonSchema =
      body === 'merged'
        ? {
            type: 'object',
            properties: Object.fromEntries(own),
            ...(needed.length > 0 && { required: needed }),
            additionalProperties: false,
          }
        : (properties[body.under] ?? { type: 'object' });
    const example = this.#example(schema);
    const files = endpoint.operation.takesFile ? Object.keys(fileTypes) : [];
    const content = {
      'application/json': { schema, example },
      ...Object.fromEntries(
        files.map((type) => [type, type.startsWith('application/vnd.') ? {} : { schema: { type: 'string' } }]),
      ),
    };
    return { requestBody: { required: true, content } };
  }

  #responses(endpoint: Endpoint, about: DescribedObject | undefined): object {
    const { operation, method, path } = endpoint;
    const schema = this.#shownOf(endpoint, 'output', about);
    const hasEffect = operation.effect !== 'read';
    const headers = headersOf(
      ...(operation.etag === undefined ? [] : (['ETag'] as const)),
      ...(canBeTried(operation) ? (['Dry-Run'] as const) : []),
      ...(namesChangeSet(operation) ? (['Change-Set'] as const) : []),
      ...(hasEffect && method === 'POST' ? (['Idempotent-Replayed'] as const) : []),
      ...(isPage(schema) ? (['Link', 'X-Total-Count'] as const) : []),
    );
    const content = {
      'application/json': { schema, example: this.#example(schema) },
      ...Object.fromEntries((operation.downloads ?? []).map((type) => [type, { schema: { type: 'string' } }])),
    };
    const takesTags = [...placesOf(endpoint).headers.values()].includes('If-Match');
    return {
      [operation.status ?? 200]: { description: operation.summary, headers, content },
      ...(knowsTags(endpoint) && { 304: { description: 'The client has it already', headers: headersOf('ETag') } }),
      400: response('BadRequest'),
      ...(!operation.isPublic && { 401: response('Unauthorized') }),
      ...(path.endsWith('/:object') && !about && { 404: response('NotFound') }),
      ...(takesTags && { 412: response('PreconditionFailed') }),
      429: response('TooManyRequests'),
      500: response('ServerError'),
      503: response('Unavailable'),
    };
  }

  #shownOf({ operation }: Endpoint, part: 'input' | 'output', about: DescribedObject | undefined): JsonSchema {
    const schema = this.#shown(operation[part], about);
    const { model, visibility } = this.#reader;
    const object = operation.manages === undefined ? undefined : model.objects.get(operation.manages);
    return object?.kind === 'managed' ? withoutHidden(schema, object, visibility) : schema;
  }

  #shown(schema: TSchema, about: DescribedObject | undefined): JsonSchema {
    const known = this.#plain.get(schema);
    if (known) return known;
    let isOfObject = false;
    const made = shown(schema, (shape) => {
      isOfObject = true;
      if (!about) return undefined;
      const ending = { read: '', create: 'Create', update: 'Update' }[shape];
      return { $ref: componentRef(about.names.singular + ending) };
    });
    if (!isOfObject) this.#plain.set(schema, made);
    return made;
  }

  #example(schema: JsonSchema): Json {
    const known = this.#examples.get(schema);
    if (known !== undefined) return known;
    const made = exampleOf(schema, (ref) => this.#schemas[ref.slice(componentRef('').length)] ?? {});
    this.#examples.set(schema, made);
    return made;
  }
}

function isPage({ properties = {}, anyOf = [] }: JsonSchema): boolean {
  return 'nextCursor' in properties || anyOf.some(isPage);
}

function withFields(schema: JsonSchema, { filters }: DescribedObject): JsonSchema {
  return { ...schema, description: `${schema.description ?? ''}\n\nFields and their operators:\n\n${filters}` };
}

function descriptionOf({ operation: { adminOnly, personOnly, cost, budget } }: Endpoint): string {
  if (budget) return `Takes no token. Counts against \`api:ip\` and \`${budget.policy}\`.`;
  const who = adminOnly === undefined ? '' : 'Admins only. ';
  const how = personOnly === undefined ? '' : 'For signed-in people: no token may. ';
  return `${who}${how}Counts against \`api:global\`${cost === 'global' || cost === 'long' ? '' : ` and \`api:${cost}\``}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function response(name: keyof typeof sharedResponses): object {
  return { $ref: `#/components/responses/${name}` };
}
