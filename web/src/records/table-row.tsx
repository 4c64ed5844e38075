import { memo, useRef, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Value } from '../values/value.tsx';
import { CellEditor } from './cell-editor.tsx';
import type { Column } from './columns.ts';
import { idOf, type Editing, type TableProps } from './table-props.ts';
import styles from './table.module.css';

interface TableRowProps {
  /** The table as it is when something is done: what changes in it draws no row anew that looks the same. */
  readonly act: RefObject<TableProps>;
  readonly object: ObjectShape;
  readonly record: KithRecord;
  readonly index: number;
  readonly start: number;
  readonly columns: readonly Column[];
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly currentCell: number | undefined;
  readonly editing: Editing | undefined;
}

const longPressMs = 450;

/** One record. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { act, record, index, start, columns, object, isSelected, isCurrent, currentCell, editing } = props;
  const { records: texts } = useTexts();
  const { reader } = useWorkspace();
  const name = nameOf(record, reader.displayFields[object.name]);
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
      {...press}
      onClick={(event) => clicked(event, props)}
    >
      <span role="gridcell" aria-colindex={1} className={styles.check}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.selectRow(name)}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => {
            event.stopPropagation();
            if (event.shiftKey) act.current.marks.extend(index);
            else act.current.marks.toggle(index);
          }}
        />
      </span>
      {columns.map((column, at) => (
        <span
          key={column.path}
          id={idOf(record.id, column.path)}
          role="gridcell"
          aria-colindex={at + 2}
          className={column.isEnd ? `${styles.cell} ${styles.end}` : styles.cell}
          data-current={(isCurrent && currentCell === at) || undefined}
          data-cell={at}
          data-editing={editing?.path === column.path || undefined}
        >
          {editing?.path === column.path ? (
            <CellEditor act={act} record={record} column={column} editing={editing} />
          ) : (
            <Shown
              record={record}
              column={column}
              object={object.name}
              name={name}
              isName={column.path === reader.displayFields[object.name]}
            />
          )}
        </span>
      ))}
    </div>
  );
});

interface ShownProps {
  readonly record: KithRecord;
  readonly column: Column;
  readonly object: string;
  readonly name: string;
  readonly isName: boolean;
}

const Shown = memo(function Shown({ record, column, object, name, isName }: ShownProps) {
  if (isName)
    return (
      // The row takes the click: a link of the router costs a tenth of the time that all rows have.
      <a className={styles.name} href={`/r/${object}/${record.id}`} tabIndex={-1} title={name.slice(0, 300)}>
        <bdi>{name.slice(0, 500)}</bdi>
      </a>
    );
  const { path, field } = column;
  if (!path.includes('.')) return <Value field={field} record={record} object={object} isLinked={false} />;
  return <Value field={{ ...field, name: path }} record={record} isLinked={false} />;
});

/** A row that is on its way. */
export function WaitingRow({ index, start, columns }: { index: number; start: number; columns: readonly Column[] }) {
  return (
    <div role="row" className={styles.row} style={{ insetBlockStart: start }} aria-rowindex={index + 2}>
      <span role="gridcell" aria-colindex={1} />
      {columns.map(({ path }, at) => (
        <span key={path} role="gridcell" aria-colindex={at + 2} className={styles.cell}>
          <i className={styles.waiting} />
        </span>
      ))}
    </div>
  );
}

function clicked(event: MouseEvent<HTMLDivElement>, { act, index, columns, record }: TableRowProps): void {
  const { marks, edit, open } = act.current;
  if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest('input, [data-editor]')) return;
  const isModified = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
  if (event.target.closest('a')) {
    // With a key held it opens where the browser opens links.
    if (isModified) return;
    event.preventDefault();
    return open(record.id);
  }
  const at = event.target.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  if (event.shiftKey) return marks.extend(index);
  if (event.ctrlKey || event.metaKey) return marks.toggle(index);
  if (matchMedia('(width < 40rem)').matches) return marks.ids.size > 0 ? marks.toggle(index) : open(record.id);
  const cell = at === undefined ? undefined : Number(at);
  const isThere = marks.cursor?.row === index && marks.cursor.cell === cell;
  marks.place({ row: index, cell });
  if (isThere && cell !== undefined) edit(index, columns[cell]);
}

/** On a touch screen, a finger that stays selects. */
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
      // The click that ends a long press is none.
      if (isLong.current) event.preventDefault();
      isLong.current = false;
    },
  };
}
