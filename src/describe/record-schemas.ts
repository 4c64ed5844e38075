/** JSON Schemas of an object's records under the caller's policies, from the types of its fields. */
import type { Policies } from '../access/policies.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { JsonSchema } from '../fields/json-schema.ts';
import { objectSchema, orNull } from '../fields/json-schema.ts';
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import { visibleAttributes } from '../query/attributes.ts';
import { mayWrite, writable } from '../records/writing/decode.ts';
import { mostLists } from '../records/writing/list-entries.ts';
import { componentRef } from './annotations.ts';
import { pascal } from './names.ts';
import type { Names } from './names.ts';

export interface RecordSchemas {
  /** All visible keys; those that only single records have are not required. */
  readonly read: JsonSchema;
  readonly create: JsonSchema;
  readonly update: JsonSchema;
  /** Option sets by component name. */
  readonly options: Readonly<Record<string, JsonSchema>>;
}

/** Makes the schemas; `name` is the object's component, and `names` gives option sets theirs. */
export function recordSchemas(object: ObjectDef, policies: Policies, name: string, names: Names): RecordSchemas {
  const fields = visibleAttributes(object, policies);
  const options = new Options(name, names);
  return {
    read: readSchema(object, fields, options),
    create: writeSchema(object, policies, options, 'create'),
    update: writeSchema(object, policies, options, 'update'),
    options: options.components,
  };
}

function readSchema(object: ObjectDef, fields: readonly FieldDef[], options: Options): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const optional: string[] = [];
  for (const field of fields) {
    const type = fieldType(field.type);
    const { read, write } = type.schema(field);
    const kept = field.isReadonly || write === undefined;
    for (const [key, schema] of Object.entries(read)) {
      const described = { ...options.named(field, schema), description: descriptionOf(field, key, schema) };
      properties[key] = kept ? { ...described, readOnly: true } : described;
      if (type.detailOnly?.(field)) optional.push(key);
    }
  }
  return { ...objectSchema(properties, optional), additionalProperties: true, description: object.label };
}

function writeSchema(object: ObjectDef, policies: Policies, options: Options, shape: 'create' | 'update'): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of writable(object, policies).values()) {
    const { write } = fieldType(field.type).schema(field);
    if (write === undefined || !mayWrite(object, policies, field)) continue;
    const value = options.named(field, write);
    const schema = field.isRequired ? value : orNull(value);
    properties[field.name] = { ...schema, description: descriptionOf(field, field.name, write) };
    if (shape === 'create' && isAskedFor(object, field)) required.push(field.name);
  }
  return {
    type: 'object',
    properties: { ...properties, ...listKeys(policies) },
    ...(required.length > 0 && { required }),
    // An update also accepts read-only keys that repeat the stored value.
    additionalProperties: shape === 'update',
  };
}

/** Whether a create without it is refused: the service fills in defaults, the owner and the pipeline position. */
function isAskedFor(object: ObjectDef, field: FieldDef): boolean {
  return field.isRequired && field.defaultValue === null && field.name !== 'owner' && isStored(object, field);
}

/** Whether it is a plain field of the object, not a part of one. */
function isStored(object: ObjectDef, field: FieldDef): boolean {
  return object.fields.includes(field) && object.attributes.has(field.name);
}

function listKeys({ isAdmin }: Policies): Readonly<Record<string, JsonSchema>> {
  const ids = { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: mostLists } as const;
  return {
    add_to_list_ids: { ...ids, description: 'Lists that the record is added to' },
    ...(isAdmin && {
      create_list_name: { type: 'string', maxLength: 200, description: 'A new list that the record is added to' },
    }),
  };
}

function descriptionOf({ name, label }: FieldDef, key: string, { description }: JsonSchema): string {
  if (key !== name) return `${label}: what it is called`;
  return description === undefined ? label : `${label}: ${description}`;
}

/** Collects option sets as components: several shapes share them, and clients get a name for each. */
class Options {
  readonly components: Record<string, JsonSchema> = {};
  readonly #object: string;
  readonly #names: Names;
  readonly #known = new Map<FieldDef, string>();

  constructor(object: string, names: Names) {
    this.#object = object;
    this.#names = names;
  }

  named(field: FieldDef, schema: JsonSchema): JsonSchema {
    if (!field.options) return schema;
    if (schema.enum) return { $ref: componentRef(this.#nameOf(field, schema)) };
    if (schema.items) return { ...schema, items: this.named(field, schema.items) };
    if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((part) => this.named(field, part)) };
    return schema;
  }

  #nameOf(field: FieldDef, schema: JsonSchema): string {
    let name = this.#known.get(field);
    if (name === undefined) {
      name = this.#names.claim([`${this.#object}${pascal(field.name) ?? ''}`]);
      this.#known.set(field, name);
      this.components[name] = { ...schema, description: `${field.label} of ${this.#object}` };
    }
    return name;
  }
}
