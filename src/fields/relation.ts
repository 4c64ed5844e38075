/** RELATION: the id of a record of another object. */
import type { FieldDef } from './field-def.ts';
import type { FieldType } from './field-type.ts';
import { reference } from './reference.ts';

export const relation: FieldType = {
  ...reference({
    described: (field) => `a record of ${targetOf(field)}`,
    display: (field, id, scope) => scope.display(targetOf(field), id),
  }),
  names: ['RELATION'],
  target: (field) => ({ object: targetOf(field) }),
};

/** The object that a relation points to; every relation's metadata names one. */
export function targetOf(field: FieldDef): string {
  if (!field.relationConfig) throw new Error(`${field.name} has no relationConfig`);
  return field.relationConfig.targetObjectName;
}
