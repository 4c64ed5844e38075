/** The records as a virtualized table; ARIA attributes give its full size. */
import { useDeferredValue, useEffect, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow, WaitingRow } from './table-row.tsx';
import styles from './table.module.css';
import { sideArrows } from '../app/direction.ts';
import { useIsLate } from '../app/later.ts';
import { idOf, type TableProps } from './table-props.ts';
import { titleOf } from '../values/value.tsx';
import { useAhead } from './use-ahead.ts';
import { tracksOf } from './columns.ts';
import { useDrawnRows, type DrawnRows } from './use-drawn-rows.ts';

const nothing: TableProps['rows']['records'] = [];

/** The table. */
export function Table(props: TableProps) {
  const { rows, columns, marks, object } = props;
  const { records: texts } = useTexts();
  const scroll = useRef<HTMLDivElement>(null);
  const { whole, ...drawn } = useDrawnRows(scroll, props);
  const known = rows.records.length;
  const hasBoxes = useDeferredValue(marks.ids.size > 0);
  const isLate = useIsLate(rows.isOlder);
  useEffect(() => {
    if (document.activeElement === document.body) scroll.current?.focus({ preventScroll: true });
  }, []);
  const act = useRef(props);
  useLayoutEffect(() => {
    act.current = props;
  });
  const current = rows.records[marks.cursor?.row ?? -1];
  const ahead = useAhead(object.name, current?.id);
  const currentId = current && idOf(current.id, columns[marks.cursor?.cell ?? -1]?.path);
  return (
    <div className={styles.frame}>
      <NewRows count={rows.newCount} show={rows.again} label={texts.newRows(rows.newCount)} />
      <div
        ref={scroll}
        className={isLate ? `${styles.scroll} ${styles.older}` : styles.scroll}
        role="grid"
        aria-label={object.label}
        aria-rowcount={(rows.total ?? 0) + 1}
        aria-multiselectable="true"
        aria-activedescendant={currentId}
        aria-busy={rows.isLoading || rows.isOlder}
        data-selecting={hasBoxes || undefined}
        tabIndex={0}
        onKeyDown={(event) => pressed(event, props)}
        onPointerOver={(event) => {
          ahead(event);
          titleIfClipped(event.target);
        }}
      >
        <div
          className={styles.grid}
          role="presentation"
          style={{ '--columns': tracksOf(columns), '--row': `${drawn.height / 16}rem`, blockSize: whole }}
        >
          <TableHead
            act={act}
            columns={columns}
            sort={props.sort}
            change={props.change}
            isShownSelected={known > 0 && (marks.isAll || marks.ids.size >= known)}
          />
          <TableRows {...props} {...drawn} act={act} />
        </div>
      </div>
    </div>
  );
}

interface TableRowsProps extends TableProps, Omit<DrawnRows, 'whole'> {
  readonly act: RefObject<TableProps>;
}

/** Rows in view are rendered at once, those around them when the page is idle. */
function TableRows({ rows, marks, columns, object, editing, act, indexes, span, height, head }: TableRowsProps) {
  const around = useDeferredValue(rows.records, nothing);
  const { cursor } = marks;
  return indexes.map((index) => {
    const isSeen = index >= span.from && index < span.to;
    const record = (isSeen ? rows.records : around)[index];
    const start = head + index * height;
    if (!record) return isSeen && <WaitingRow key={`waiting ${index}`} index={index} start={start} />;
    const isEdited = editing?.id === record.id;
    return (
      <TableRow
        // Keyed by index, so that another record reuses the row, which is cheaper than a new one; a row being edited
        // is keyed by its record.
        key={isEdited ? record.id : index}
        act={act}
        object={object}
        record={record}
        index={index}
        start={start}
        columns={columns}
        isFresh={rows.fresh.has(record.id)}
        isSelected={marks.isSelected(record.id)}
        isCurrent={cursor?.row === index}
        currentCell={cursor?.row === index ? cursor.cell : undefined}
        editing={isEdited ? editing : undefined}
      />
    );
  });
}

/** Sets a title on cells whose text is cut off. */
function titleIfClipped(target: EventTarget): void {
  const cell = target instanceof Element && target.closest<HTMLElement>('[role=gridcell]');
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? titleOf(cell.innerText) : '';
}

function NewRows({ count, show, label }: { count: number; show: () => void; label: string }) {
  const formats = useFormats();
  if (count === 0) return undefined;
  return (
    <div className={styles.fresh} role="status">
      <Button onClick={show} title={formats.number(count)}>
        {label}
      </Button>
    </div>
  );
}

/** Handles Enter, Space and horizontal arrows on a row. Vertical ones are handled page-wide. */
function pressed(event: KeyboardEvent<HTMLDivElement>, { rows, columns, marks, open, edit }: TableProps): void {
  const { cursor } = marks;
  if (event.target !== event.currentTarget || !cursor || event.ctrlKey || event.metaKey || event.altKey) return;
  const { row, cell } = cursor;
  const record = rows.records[row];
  if (!record) return;
  const { forward, backward } = sideArrows();
  if (event.shiftKey && (event.key === forward || event.key === backward)) return;
  const keys: Readonly<Record<string, () => void>> = {
    [forward]: () => marks.place({ row, cell: Math.min(columns.length - 1, (cell ?? -1) + 1) }),
    [backward]: () => marks.place({ row, cell: cell === undefined || cell === 0 ? undefined : cell - 1 }),
    Enter: () => (cell === undefined ? open(record.id) : edit(row, columns[cell])),
    ' ': () => marks.toggle(row),
    Escape: () =>
      cell === undefined
        ? marks.ids.size > 0 || marks.isAll
          ? marks.clear()
          : marks.place(undefined)
        : marks.place({ row, cell: undefined }),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
