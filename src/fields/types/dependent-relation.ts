/**
 * DEPENDENT_RELATION: a RELATION whose target must belong to the record named by another relation of the same object,
 * `dependsOn`.
 */
import type { FieldType } from '../field-type.ts';
import { belongsToOne } from './relation.ts';

export const dependentRelation: FieldType = {
  ...belongsToOne,
  names: ['DEPENDENT_RELATION'],
  relationTypes: ['BELONGS_TO_ONE'],
};
