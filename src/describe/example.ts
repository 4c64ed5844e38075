/** Makes example values from a schema: its own examples, or else values of its types and formats. */
import type { JsonSchema } from '../fields/json-schema.ts';
import type { Json } from '../lib/json.ts';

const byFormat: Readonly<Record<string, string>> = {
  uuid: '0198c0de-7a11-7000-8000-00000000002a',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00.000Z',
};

/** An example of the schema; `resolve` gives the target of a `$ref`. A recursive schema must have an example of its own. */
export function exampleOf(schema: JsonSchema, resolve: (ref: string) => JsonSchema): Json {
  const { examples, default: usual, const: only, $ref, anyOf, enum: options } = schema;
  const given = examples?.[0] ?? usual ?? only ?? options?.[0];
  if (given !== undefined) return given;
  if ($ref !== undefined) return exampleOf(resolve($ref), resolve);
  if (anyOf?.[0]) return exampleOf(anyOf[0], resolve);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'string':
      return byFormat[schema.format ?? ''] ?? (schema.description ?? 'text').slice(0, schema.maxLength);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items && schema.maxItems !== 0 ? [exampleOf(schema.items, resolve)] : [];
    case 'null':
      return null;
    default:
      return objectExample(schema, resolve);
  }
}

function objectExample({ properties = {} }: JsonSchema, resolve: (ref: string) => JsonSchema): Json {
  return Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, exampleOf(part, resolve)]));
}
