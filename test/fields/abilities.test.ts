/** What a manifest may say of each type, spelled out. */
import { describe, expect, it } from 'vitest';
import {
  isComputed,
  mayBeJunction,
  mayBeRequired,
  mayBeSearchable,
  mayBeUnique,
  mayHaveDefault,
  relationTypesOf,
  takesOptions,
} from '../../src/fields/abilities.ts';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import type { DeclaredField } from '../../src/fields/field-type.ts';

const texts = ['TEXT', 'LONG_TEXT', 'URL', 'EMAIL'];
const numbers = ['NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT', 'DURATION', 'ELAPSED_TIME'];
const relations = ['RELATION', 'DEPENDENT_RELATION', 'MORPH_RELATION', 'MANY_TO_MANY'];
const computed = ['CALCULATED', 'ROLLUP'];

function those(ability: (field: DeclaredField) => boolean): readonly string[] {
  return fieldTypeNames.filter((type) => ability({ type })).toSorted();
}

function others(names: readonly string[]): readonly string[] {
  return fieldTypeNames.filter((name) => !names.includes(name)).toSorted();
}

describe('of the thirty types', () => {
  it.each<[string, (field: DeclaredField) => boolean, readonly string[]]>([
    ['are computed', isComputed, computed],
    ['may be required', mayBeRequired, others(computed)],
    ['are searchable', mayBeSearchable, [...texts, 'RICH_TEXT', 'EMAILS', 'PHONES', 'ADDRESS']],
    ['have options', takesOptions, ['SELECT', 'MULTI_SELECT']],
    ['have a relationConfig', (field) => relationTypesOf(field).length > 0, relations],
    ['may have a default', mayHaveDefault, others([...computed, ...relations, 'USERS', 'PIPELINE'])],
    ['may lie on a link', mayBeJunction, [...texts, ...numbers, 'RATING', 'BOOLEAN', 'DATE', 'SELECT']],
    [
      'may be unique',
      mayBeUnique,
      [
        ...texts,
        ...numbers,
        'DATE',
        'DATETIME',
        'SELECT',
        'EMAILS',
        'PHONES',
        'USERS',
        'RELATION',
        'DEPENDENT_RELATION',
      ],
    ],
  ])('these %s', (_, ability, names) => expect(those(ability)).toEqual(names.toSorted()));
});

it('HAS_MANY is computed, whatever its type may otherwise be', () => {
  const field: DeclaredField = {
    type: 'RELATION',
    relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'projects', inverseField: 'company_id' },
  };
  expect([isComputed, mayBeRequired, mayBeUnique, mayHaveDefault].map((ability) => ability(field))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it.each([
  ['RELATION', ['BELONGS_TO_ONE', 'HAS_MANY']],
  ['DEPENDENT_RELATION', ['BELONGS_TO_ONE']],
  ['MORPH_RELATION', ['MORPH_RELATION']],
  ['MANY_TO_MANY', ['MANY_TO_MANY']],
  ['TEXT', []],
] as const)('%s relates by %j', (type, relationTypes) => expect(relationTypesOf({ type })).toEqual(relationTypes));
