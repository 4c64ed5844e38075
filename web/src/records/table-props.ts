/** What the parts of a table share. */
import type { ObjectShape } from '../api/workspace.ts';
import type { Standing } from '../record/saving.ts';
import type { Column } from './columns.ts';
import type { ListState } from './list-state.ts';
import type { Marks } from './use-marks.ts';
import type { Rows } from './use-rows.ts';

/** The cell that is being edited. */
export interface Editing {
  readonly id: string;
  readonly path: string;
  readonly begun?: string | undefined;
  readonly error?: string | undefined;
  /** The refused value. */
  readonly refused?: unknown;
  readonly conflict?: Extract<Standing, { is: 'conflict' }>;
}

export interface TableProps {
  readonly object: ObjectShape;
  readonly rows: Rows;
  readonly columns: readonly Column[];
  readonly marks: Marks;
  readonly sort: ListState['sort'];
  readonly editing: Editing | undefined;
  open(id: string): void;
  edit(row: number, column: Column | undefined, begun?: string): void;
  stopEditing(): void;
  /** Opens the editor again, to correct or choose a value. */
  reopen(editing: Editing): void;
  change(change: Partial<ListState>): void;
}

/** The id of a row or cell, for `aria-activedescendant`. */
export function idOf(id: string, path?: string): string {
  return path === undefined ? `row-${id}` : `cell-${id}-${path}`;
}
