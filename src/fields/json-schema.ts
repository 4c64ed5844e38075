/** The part of JSON Schema 2020-12 that describes values of fields, and how the types of fields put it together. */
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
  /** Of the condition of a filter: operators that take no value. */
  readonly 'x-valueless'?: readonly string[];
}

/** What a record shows of a field and what a write takes. */
export interface FieldSchema {
  /** The keys of a record, as the type's `read` makes them. */
  readonly read: Readonly<Record<string, JsonSchema>>;
  /** What `decode` takes beside null; absent where nothing can be written. */
  readonly write?: JsonSchema;
}

/** A field that is read under its name as it is written, or as null. */
export function valueSchema(name: string, value: JsonSchema, write: JsonSchema = value): FieldSchema {
  return { read: { [name]: orNull(value) }, write };
}

/** A field that is made of other values. */
export function computedSchema(name: string, kind: OperandKind): FieldSchema {
  return { read: { [name]: orNull(schemaOfKind[kind] ?? { type: 'string' }) } };
}

/** `value`, or null. Options stay a part of their own, so that they can get a name. */
export function orNull(value: JsonSchema): JsonSchema {
  if (typeof value.type !== 'string' || value.enum) return { anyOf: [value, { type: 'null' }] };
  return { ...value, type: [value.type, 'null'] };
}

/** An object with exactly these keys; those of `optional` may be left out. */
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

/** One of the values of options; any text where there are none. */
export function optionSchema(options: readonly { readonly value: string }[] | null): JsonSchema {
  const values = (options ?? []).map(({ value }) => value);
  return values.length === 0 ? { type: 'string' } : { type: 'string', enum: values };
}

export const idSchema: JsonSchema = { type: 'string', format: 'uuid' };
export const dateSchema: JsonSchema = { type: 'string', format: 'date' };
export const datetimeSchema: JsonSchema = { type: 'string', format: 'date-time' };
export const textSchema: JsonSchema = { type: 'string' };
/** What something is called, null where there is nothing or it may not be seen. */
export const displaySchema: JsonSchema = { type: ['string', 'null'], readOnly: true };

const schemaOfKind: Partial<Readonly<Record<OperandKind, JsonSchema>>> = {
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: dateSchema,
  datetime: datetimeSchema,
  id: idSchema,
};
