/** Converts JSON Schema to TypeScript declarations. */
import type { JsonSchema, JsonTypeName } from '../fields/json-schema.ts';

/** An interface for an object schema, or else a type alias. */
export function declaration(name: string, schema: JsonSchema): string {
  const head = commentOf(schema, '');
  if (schema.type !== 'object' || !schema.properties) return `${head}export type ${name} = ${typeOf(schema)};\n`;
  return `${head}export interface ${name} ${bodyOf(schema, '')}\n`;
}

/** The TypeScript type; `indent` is that of the current line. */
export function typeOf(schema: JsonSchema, indent = ''): string {
  const { $ref, const: only, enum: values, anyOf, type } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (values) return union(values.map((value) => JSON.stringify(value)));
  if (anyOf) return union(anyOf.map((part) => typeOf(part, indent)));
  if (type === undefined) return 'unknown';
  const types = typeof type === 'string' ? [type] : type;
  return union(types.map((one) => typeOfKind(one, schema, indent)));
}

function typeOfKind(type: JsonTypeName, schema: JsonSchema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = schema.items ? typeOf(schema.items, indent) : 'unknown';
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return schema.properties ? bodyOf(schema, indent) : mapOf(schema, indent);
    default:
      return type;
  }
}

function mapOf({ additionalProperties: value }: JsonSchema, indent: string): string {
  return `Record<string, ${typeof value === 'object' ? typeOf(value, indent) : 'unknown'}>`;
}

function bodyOf({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([key, schema]) => {
    const kept = schema.readOnly ? 'readonly ' : '';
    const optional = required.includes(key) ? '' : '?';
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${commentOf(schema, inner)}${inner}${kept}${name}${optional}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

/** The comment for a description, escaping the end of comments. */
function commentOf({ description }: JsonSchema, indent: string): string {
  if (description === undefined || description.trim() === '') return '';
  const text = description.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ').trim();
  return `${indent}/** ${text} */\n`;
}
