import type { Permission } from '../api/workspace.ts';
import { withoutValue, type BoardColumn } from './grouping.ts';

/** Whether the reader may create a record in this column, which sets its step or option. */
export function mayMakeIn({ key }: BoardColumn, permission: Permission | undefined, mayMove: boolean): boolean {
  return (permission?.create ?? false) && mayMove && key !== withoutValue;
}
