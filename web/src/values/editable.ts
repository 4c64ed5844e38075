/** Whether a field can be edited here, and why not. */
import type { Field, Permission } from '../api/workspace.ts';

export type Lock = 'mayRead' | 'computed' | 'keptByService';

/** Undefined if the reader may edit the field; else the reason, a key of the texts of values. */
export function lockOf(field: Field, permission: Permission | undefined): Lock | undefined {
  if (field.type === 'CALCULATED' || field.type === 'ROLLUP' || field.relationConfig?.relationType === 'HAS_MANY')
    return 'computed';
  if (field.isReadonly) return 'keptByService';
  if (permission === undefined || permission.update === 'none') return 'mayRead';
  const rights = field.type === 'PIPELINE' ? [field.name, 'pipeline_step_id'] : [field.name];
  return rights.some((name) => permission.fields[name] === 'write') ? undefined : 'mayRead';
}
