/** Removes hidden fields from the fixed schemas of tasks and notes. */
import type { Policies } from '../access/policies.ts';
import type { JsonSchema } from '../fields/json-schema.ts';
import type { ObjectDef } from '../model/model.ts';

/** `schema` without the keys of fields that the role hides, at any depth. */
export function withoutHidden(schema: JsonSchema, object: ObjectDef, policies: Policies): JsonSchema {
  const hidden = [...object.attributes.keys()].filter((name) => !policies.shows(object.name, name));
  if (hidden.length === 0) return schema;
  return without(schema, new Set(hidden.flatMap((name) => [name, `${name}_display`])));
}

function without(schema: JsonSchema, hidden: ReadonlySet<string>): JsonSchema {
  const { properties, required, items, anyOf } = schema;
  const shown = Object.entries(properties ?? {}).filter(([name]) => !hidden.has(name));
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(shown.map(([name, part]) => [name, without(part, hidden)])) }),
    ...(required && { required: required.filter((name) => !hidden.has(name)) }),
    ...(items && { items: without(items, hidden) }),
    ...(anyOf && { anyOf: anyOf.map((part) => without(part, hidden)) }),
  };
}
