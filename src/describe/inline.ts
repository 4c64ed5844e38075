/** Converts the schema of an operation to the documented one. */
import type { TSchema } from 'typebox';
import type { JsonSchema } from '../fields/json-schema.ts';
import { isObject } from '../lib/json.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { RecordShape } from './annotations.ts';

/** The reference to a shape of the path's object; undefined if the path names none. */
export type ShapeRef = (shape: RecordShape) => JsonSchema | undefined;

/** `schema` with its annotations applied. */
export function shown(schema: TSchema, shapeRef: ShapeRef): JsonSchema {
  // The cast is safe: a schema is JSON apart from its static type.
  const json = schema as unknown as JsonObject;
  return walk(json, shapeRef) as JsonSchema;
}

function walk(schema: Json, shapeRef: ShapeRef): Json {
  if (Array.isArray(schema)) return schema.map((part) => walk(part, shapeRef));
  if (!isObject(schema)) return schema;
  const { shownAs, recordShape, inHeader: _, ...rest } = schema;
  if (isObject(shownAs)) return walk(shownAs, shapeRef);
  const shape = typeof recordShape === 'string' ? shapeRef(recordShape as RecordShape) : undefined;
  if (shape) return shape as unknown as Json;
  if (recordShape !== undefined)
    return { type: 'object', ...('description' in rest && { description: rest['description'] }) };
  return plainMap(rest, shapeRef) ?? eachValue(rest, shapeRef);
}

/** The map of TypeBox's `Record<string, …>`, which it writes with a pattern for every key. */
function plainMap({ patternProperties, ...rest }: JsonObject, shapeRef: ShapeRef): Json | undefined {
  if (!isObject(patternProperties)) return undefined;
  const [value = {}] = Object.values(patternProperties);
  return { ...rest, additionalProperties: walk(value, shapeRef) };
}

function eachValue(schema: JsonObject, shapeRef: ShapeRef): Json {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, walk(value, shapeRef)]));
}
