/** A table's cursor and selection. */
import { useCallback, useMemo, useState } from 'react';
import type { KithRecord } from '../api/workspace.ts';

export interface Cursor {
  readonly row: number;
  /** Undefined if the whole row is meant. */
  readonly cell: number | undefined;
}

export interface Marks {
  readonly cursor: Cursor | undefined;
  readonly ids: ReadonlySet<string>;
  /** Whether all matching records are selected, loaded or not, that is the filter itself. */
  readonly isAll: boolean;
  isSelected(id: string): boolean;
  place(cursor: Cursor | undefined): void;
  toggle(row: number): void;
  /** Selects the range from the last selected row to this one. */
  extend(row: number): void;
  selectShown(): void;
  selectAll(): void;
  clear(): void;
}

/** Cursor and selection; they are reset when the list changes. */
export function useMarks(records: readonly KithRecord[], listKey: string): Marks {
  const [state, setState] = useState<MarksState>({ ...nothing, listKey });
  const own = state.listKey === listKey ? state : { ...nothing, listKey };
  const cursor = useMemo(() => followed(own.cursor, own.currentId, records), [own.cursor, own.currentId, records]);
  const set = useCallback(
    (change: (was: MarksState) => Partial<MarksState>) =>
      setState((was) => {
        const base = was.listKey === listKey ? was : { ...nothing, listKey };
        return { ...base, ...change(base) };
      }),
    [listKey],
  );
  return useMemo(
    () => ({
      cursor,
      ids: own.ids,
      isAll: own.isAll,
      isSelected: (id) => own.isAll || own.ids.has(id),
      place: (next) => set(() => ({ cursor: next, currentId: next && records[next.row]?.id })),
      toggle: (row) => set((was) => toggled(was, records, row)),
      extend: (row) => set((was) => extended(was, records, row)),
      selectShown: () => set(() => ({ ids: new Set(records.map(({ id }) => id)), isAll: false })),
      selectAll: () => set(() => ({ ids: new Set(), isAll: true })),
      clear: () => set(() => ({ ids: new Set(), isAll: false })),
    }),
    [cursor, own.ids, own.isAll, records, set],
  );
}

interface MarksState {
  readonly listKey: string;
  readonly cursor: Cursor | undefined;
  /** The cursor's record: the cursor stays on it when rows are inserted above. */
  readonly currentId: string | undefined;
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  /** The start of a range. */
  readonly anchor: number | undefined;
}

const nothing = { cursor: undefined, currentId: undefined, ids: new Set<string>(), isAll: false, anchor: undefined };

function toggled(was: MarksState, records: readonly KithRecord[], row: number): Partial<MarksState> {
  const id = records[row]?.id;
  if (id === undefined) return {};
  const ids = new Set(was.isAll ? records.map((record) => record.id) : was.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, isAll: false, anchor: row };
}

function extended(was: MarksState, records: readonly KithRecord[], row: number): Partial<MarksState> {
  const from = was.anchor ?? was.cursor?.row ?? row;
  const between = records.slice(Math.min(from, row), Math.max(from, row) + 1).map(({ id }) => id);
  return {
    ids: new Set([...was.ids, ...between]),
    isAll: false,
    anchor: from,
    cursor: { row, cell: undefined },
    currentId: records[row]?.id,
  };
}

function followed(
  cursor: Cursor | undefined,
  id: string | undefined,
  records: readonly KithRecord[],
): Cursor | undefined {
  if (!cursor || id === undefined || records[cursor.row]?.id === id) return cursor;
  const row = records.findIndex((record) => record.id === id);
  return row === -1 ? cursor : { ...cursor, row };
}
