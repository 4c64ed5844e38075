import { memo, useRef, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { clipped, plainTextOf, Value } from '../values/value.tsx';
import { CellEditor } from './cell-editor.tsx';
import type { Column } from './columns.ts';
import { idOf, type Editing, type TableProps } from './table-props.ts';
import styles from './table.module.css';

interface TableRowProps {
  /** The table's current props, in a ref, so that rows that look the same are not rendered again. */
  readonly act: RefObject<TableProps>;
  readonly object: ObjectShape;
  readonly record: KithRecord;
  readonly index: number;
  readonly start: number;
  readonly columns: readonly Column[];
  /** Whether somebody else has just changed it. */
  readonly isFresh: boolean;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly currentCell: number | undefined;
  readonly editing: Editing | undefined;
}

const longPressMs = 450;
const endCell = `${styles.cell} ${styles.end}`;

/** One record. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { act, record, index, start, columns, object, isFresh, isSelected, isCurrent, currentCell, editing } = props;
  const { records: texts } = useTexts();
  const { reader } = useWorkspace();
  const formats = useFormats();
  const display = reader.displayFields[object.name];
  const name = nameOf(record, display);
  const press = useLongPress(() => act.current.marks.toggle(index));
  return (
    <div
      id={idOf(record.id)}
      role="row"
      className={styles.row}
      style={{ insetBlockStart: start }}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-current={isCurrent ? (currentCell === undefined ? 'row' : 'cell') : undefined}
      data-editing={editing !== undefined || undefined}
      data-id={record.id}
      data-fresh={isFresh || undefined}
      {...press}
      onClick={(event) => clicked(event, props)}
    >
      <span role="gridcell" className={styles.check} title={texts.selectRow(name)} />
      {columns.map((column, at) => {
        const isEdited = editing?.path === column.path;
        const isName = column.path === display;
        const text = isName ? name : plainTextOf(column.shown, record, formats);
        return (
          <span
            key={column.path}
            id={idOf(record.id, column.path)}
            role="gridcell"
            className={column.isEnd ? endCell : styles.cell}
            data-current={(isCurrent && currentCell === at) || undefined}
            data-editing={isEdited || undefined}
          >
            {isEdited ? (
              <CellEditor act={act} record={record} column={column} editing={editing} />
            ) : isName ? (
              // A plain link, handled by the row: the router's Link would add a tenth to the rendering time of rows.
              <a className={styles.name} href={`/r/${object.name}/${record.id}`} tabIndex={-1}>
                {clipped(name)}
              </a>
            ) : text === undefined ? (
              <Value field={column.shown} record={record} isLinked={false} />
            ) : (
              // Most cells are plain text and need no further element.
              clipped(text)
            )}
          </span>
        );
      })}
    </div>
  );
});

/** A row that is still loading. */
export function WaitingRow({ index, start }: { index: number; start: number }) {
  return (
    <div role="row" className={styles.row} style={{ insetBlockStart: start }} aria-rowindex={index + 2}>
      <span role="gridcell" className={styles.waiting} />
    </div>
  );
}

function clicked(event: MouseEvent<HTMLDivElement>, { act, index, columns, record }: TableRowProps): void {
  const { marks, edit, open } = act.current;
  if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest('input, [data-editor]')) return;
  const isModified = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
  if (event.target.closest('a')) {
    // With a modifier key, the browser opens the link its own way.
    if (isModified) return;
    event.preventDefault();
    return open(record.id);
  }
  const cell = event.target.closest('[role=gridcell]');
  const at = cell ? [...event.currentTarget.children].indexOf(cell) - 1 : -1;
  if (event.shiftKey) return marks.extend(index);
  if (at === -1 || event.ctrlKey || event.metaKey) return marks.toggle(index);
  if (matchMedia('(width < 40rem)').matches) return marks.ids.size > 0 ? marks.toggle(index) : open(record.id);
  const chosen = at < 0 ? undefined : at;
  const isThere = marks.cursor?.row === index && marks.cursor.cell === chosen;
  marks.place({ row: index, cell: chosen });
  if (isThere && chosen !== undefined) edit(index, columns[chosen]);
}

/** Selects a row by a long press on a touch screen. */
function useLongPress(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isLong = useRef(false);
  const end = () => clearTimeout(timer.current);
  return {
    onPointerDown(event: PointerEvent) {
      isLong.current = false;
      if (event.pointerType !== 'touch') return;
      timer.current = setTimeout(() => {
        isLong.current = true;
        run();
      }, longPressMs);
    },
    onPointerMove: end,
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture(event: MouseEvent) {
      // Suppresses the click that ends a long press.
      if (isLong.current) event.preventDefault();
      isLong.current = false;
    },
  };
}
