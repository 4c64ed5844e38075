/** Schemas as TypeScript, whatever their texts hold. */
import { expect, it } from 'vitest';
import { declaration } from '../../src/describe/typescript.ts';
import { objectSchema } from '../../src/fields/json-schema.ts';
import type { JsonSchema } from '../../src/fields/json-schema.ts';

const scenarios: [what: string, schema: JsonSchema, text: string][] = [
  ['a choice', { type: 'string', enum: ['a', "it's"] }, `export type X = "a" | "it's";\n`],
  ['null', { type: ['string', 'null'] }, 'export type X = string | null;\n'],
  ['anything', {}, 'export type X = unknown;\n'],
  [
    'a list of several',
    { type: 'array', items: { type: ['integer', 'null'] } },
    'export type X = (number | null)[];\n',
  ],
  ['a component', { anyOf: [{ $ref: '#/components/schemas/Y' }, { type: 'null' }] }, 'export type X = Y | null;\n'],
  ['the same twice', { anyOf: [{ type: 'integer' }, { type: 'number' }] }, 'export type X = number;\n'],
  [
    'an object',
    objectSchema({ a: { type: 'string', readOnly: true }, 'b-c': { type: 'object' } }, ['b-c']),
    'export interface X {\n  readonly a: string;\n  "b-c"?: Record<string, unknown>;\n}\n',
  ],
  [
    'a description that would end its comment',
    { type: 'string', description: 'a */ export const evil = 1; /*\nb' },
    '/** a *\\/ export const evil = 1; /* b */\nexport type X = string;\n',
  ],
];

it.each(scenarios)('%s', (_what, schema, text) => expect(declaration('X', schema)).toBe(text));
