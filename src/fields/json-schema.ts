/** The subset of JSON Schema 2020-12 for field values, and its builders. */
import type { Json } from '../lib/json.ts';
import type { OperandKind } from './operators/operator.ts';

export type JsonTypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export interface JsonSchema {
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly const?: Json;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: Json;
  readonly contentMediaType?: string;
  readonly contentSchema?: JsonSchema;
  readonly examples?: readonly Json[];
  /** For filter conditions: operators without a value. */
  readonly 'x-valueless'?: readonly string[];
}

/** The schemas of a field in a record and in a write. */
export interface FieldSchema {
  /** Schemas by record key, matching the type's `read`. */
  readonly read: Readonly<Record<string, JsonSchema>>;
  /** What `decode` accepts besides null; absent for read-only fields. */
  readonly write?: JsonSchema;
}

/** A field that is read and written under its own name, or null. */
export function valueSchema(name: string, value: JsonSchema, write: JsonSchema = value): FieldSchema {
  return { read: { [name]: orNull(value) }, write };
}

/** The schema of a computed field. */
export function computedSchema(name: string, kind: OperandKind): FieldSchema {
  return { read: { [name]: orNull(schemaOfKind[kind] ?? { type: 'string' }) } };
}

/** `value`, or null. Options remain a separate subschema, so that they can get a name. */
export function orNull(value: JsonSchema): JsonSchema {
  if (typeof value.type !== 'string' || value.enum) return { anyOf: [value, { type: 'null' }] };
  return { ...value, type: [value.type, 'null'] };
}

/** An object with exactly these keys; those in `optional` may be missing. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** One of the options' values; any text without options. */
export function optionSchema(options: readonly { readonly value: string }[] | null): JsonSchema {
  const values = (options ?? []).map(({ value }) => value);
  return values.length === 0 ? { type: 'string' } : { type: 'string', enum: values };
}

export const idSchema: JsonSchema = { type: 'string', format: 'uuid' };
export const dateSchema: JsonSchema = { type: 'string', format: 'date' };
export const datetimeSchema: JsonSchema = { type: 'string', format: 'date-time' };
export const textSchema: JsonSchema = { type: 'string' };
/** A label; null where there is none or it may not be seen. */
export const displaySchema: JsonSchema = { type: ['string', 'null'], readOnly: true };

const schemaOfKind: Partial<Readonly<Record<OperandKind, JsonSchema>>> = {
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: dateSchema,
  datetime: datetimeSchema,
  id: idSchema,
};
