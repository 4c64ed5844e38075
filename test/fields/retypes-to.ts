/** The types that a field of a type can be changed to. */
import { fieldTypeNames, type FieldTypeName } from '../../src/fields/field-def.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { retyping } from '../../src/fields/retype.ts';
import { sql } from '../../src/postgres/sql.ts';
import { testField } from './samples/sample.ts';

export function retypesTo(type: FieldTypeName): readonly FieldTypeName[] {
  return fieldTypeNames.filter(
    (other) => other !== type && retyping(fieldOf(type), fieldOf(other), sql`f`, 'UTC') !== undefined,
  );
}

function fieldOf(type: FieldTypeName) {
  const { takesOptions, relationTypes } = fieldType(type);
  return testField(type, 'f', {
    ...(takesOptions && { options: [] }),
    ...(relationTypes && { relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' } }),
  });
}
