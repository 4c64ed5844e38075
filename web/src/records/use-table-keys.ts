/** The keys of a table, beside those of the row that has the focus. */
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../api/kith.ts';
import { useKeys } from '../app/keys.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import { textOf } from '../values/text-of.ts';
import type { Column } from './columns.ts';
import type { List } from './use-list.ts';
import type { Cursor, Marks } from './use-marks.ts';
import type { Rows } from './use-rows.ts';

interface TableKeys {
  readonly list: List;
  readonly rows: Rows;
  readonly marks: Marks;
  readonly columns: readonly Column[];
}

/** So many rows a page key goes. */
const pageRows = 27;

/** Has the keys count. */
export function useTableKeys({ list, rows, marks, columns }: TableKeys): void {
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
    {
      keys: 'mod+Enter',
      label: texts.keyOpen,
      run: () => {
        const record = current();
        if (record) void navigate({ to: '/r/$object/$id', params: { object: list.object.name, id: record.id } });
      },
    },
  ]);
}

/** Copies the selected rows, the row or the cell, as tables of other programs take them. */
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
    const lines = records.map((record) =>
      shown
        .map(({ field, path }) => textOf({ ...field, name: path }, record, formats).replaceAll(/[\t\n\r]+/g, ' '))
        .join('\t'),
    );
    navigator.clipboard.writeText(lines.join('\n')).then(
      () => toast({ text: texts.copied(records.length) }),
      (error: unknown) => toast({ text: messageOf(error), isBad: true }),
    );
  };
}
