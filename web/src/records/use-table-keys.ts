/** The keys of a table, besides those of a focused row. */
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../api/kith.ts';
import { sideArrows } from '../app/direction.ts';
import { useKeys, type Key } from '../app/keys.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import { textOf } from '../values/text-of.ts';
import { choiceOf, narrowest, widest, type Column } from './columns.ts';
import { htmlOfCells, textOfCells } from './paste/block.ts';
import type { List } from './use-list.ts';
import type { Cursor, Marks } from './use-marks.ts';
import type { Rows } from './use-rows.ts';

interface TableKeys {
  readonly list: List;
  readonly rows: Rows;
  readonly marks: Marks;
  readonly columns: readonly Column[];
  /** Pastes from the clipboard. */
  readonly paste: () => void;
}

/** Rows that Page Up and Page Down move by. */
const pageRows = 27;

/** Registers the keys. */
export function useTableKeys({ list, rows, marks, columns, paste }: TableKeys): void {
  const { records: texts } = useTexts();
  const navigate = useNavigate();
  const copy = useCopy(columns);
  const { cursor } = marks;
  const last = rows.records.length - 1;
  const go = (by: number) => {
    const row = cursor ? Math.min(last, Math.max(0, cursor.row + by)) : by > 0 ? 0 : last;
    marks.place({ row, cell: cursor?.cell });
    document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
  };
  const extend = (by: number) => marks.extend(Math.min(last, Math.max(0, (cursor?.row ?? -by) + by)));
  const columnKeys = useColumnKeys(list, marks, columns);
  const current = () => rows.records[cursor?.row ?? 0];
  useKeys([
    { keys: 'ArrowDown', label: texts.keyRows, run: () => go(1) },
    { keys: 'ArrowUp', label: texts.keyRows, run: () => go(-1) },
    { keys: 'PageDown', label: texts.keyRows, run: () => go(pageRows) },
    { keys: 'PageUp', label: texts.keyRows, run: () => go(-pageRows) },
    { keys: 'Home', label: texts.keyRows, run: () => go(-Infinity) },
    { keys: 'End', label: texts.keyRows, run: () => go(Infinity) },
    { keys: 'shift+ArrowDown', label: texts.keySelect, run: () => extend(1) },
    { keys: 'shift+ArrowUp', label: texts.keySelect, run: () => extend(-1) },
    {
      keys: 'mod+a',
      label: texts.keySelectShown,
      run: () =>
        marks.ids.size >= rows.records.length && marks.ids.size > 0 ? marks.selectAll() : marks.selectShown(),
    },
    {
      keys: 'o',
      label: texts.keyBeside,
      run: () => list.change({ peek: list.state.peek === current()?.id ? undefined : current()?.id }),
    },
    { keys: 'mod+c', label: texts.keyCopy, run: () => copy(rows, marks, cursor) },
    // Left to the browser, whose paste event needs no permission.
    { keys: 'mod+v', label: texts.keyPaste, isOfBrowser: true, run: paste },
    {
      keys: 'mod+Enter',
      label: texts.keyOpen,
      run: () => {
        const record = current();
        if (record) void navigate({ to: '/r/$object/$id', params: { object: list.object.name, id: record.id } });
      },
    },
    ...columnKeys,
  ]);
}

/** Pixels per key press when a column is resized. */
const widthStep = 16;

/** Moves and resizes the cursor's column, like the pointer at its head. */
function useColumnKeys({ change }: List, marks: Marks, columns: readonly Column[]): readonly Key[] {
  const { records: texts } = useTexts();
  const { forward, backward } = sideArrows();
  const { cursor } = marks;
  const at = cursor?.cell ?? -1;
  const column = columns[at];
  const put = (next: readonly Column[]) => change({ columns: choiceOf(next) });
  const resize = (by: number) => {
    if (!column) return;
    const head = document.querySelector<HTMLElement>(`[data-column="${column.path}"]`);
    const width = (head?.offsetWidth ?? column.width) + by;
    put(columns.with(at, { ...column, width: Math.min(widest, Math.max(narrowest, width)), isSized: true }));
  };
  const move = (by: number) => {
    if (!cursor || !column || !columns[at + by]) return;
    put(columns.toSpliced(at, 1).toSpliced(at + by, 0, column));
    marks.place({ row: cursor.row, cell: at + by });
  };
  return [
    { keys: `shift+${forward}`, label: texts.keyWider, run: () => resize(widthStep) },
    { keys: `shift+${backward}`, label: texts.keyNarrower, run: () => resize(-widthStep) },
    { keys: `mod+shift+${forward}`, label: texts.keyMoveColumn, run: () => move(1) },
    { keys: `mod+shift+${backward}`, label: texts.keyMoveColumn, run: () => move(-1) },
  ];
}

/** Plain text for spreadsheets, and an HTML table for word processors. */
function asTable(cells: readonly (readonly string[])[]): ClipboardItem {
  const blob = (type: string, text: string) => new Blob([text], { type });
  return new ClipboardItem({
    'text/plain': blob('text/plain', textOfCells(cells)),
    'text/html': blob('text/html', htmlOfCells(cells)),
  });
}

/** Copies the selected rows, the row or the cell, in the format of spreadsheets. */
function useCopy(columns: readonly Column[]) {
  const formats = useFormats();
  const { records: texts } = useTexts();
  return (rows: Rows, marks: Marks, cursor: Cursor | undefined) => {
    const chosen = rows.records.filter(({ id }) => marks.isSelected(id));
    const current = rows.records[cursor?.row ?? -1];
    const records = chosen.length > 0 ? chosen : current ? [current] : [];
    const shown =
      chosen.length === 0 && cursor?.cell !== undefined ? columns.slice(cursor.cell, cursor.cell + 1) : columns;
    if (records.length === 0) return;
    const cells = records.map((record) => shown.map((column) => textOf(column.shown, record, formats)));
    navigator.clipboard.write([asTable(cells)]).then(
      () => toast({ text: texts.copied(records.length) }),
      (error: unknown) => toast({ text: messageOf(error), isBad: true }),
    );
  };
}
