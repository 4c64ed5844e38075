import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useState, type PointerEvent, type RefObject } from 'react';
import { useTexts } from '../i18n/language.tsx';
import { choiceOf, narrowest, tracksOf, widest, type Column } from './columns.ts';
import type { ListState } from './list-state.ts';
import type { TableProps } from './table-props.ts';
import styles from './table.module.css';

interface TableHeadProps extends Pick<TableProps, 'columns' | 'sort' | 'change'> {
  /** The table's current props, in a ref, so that key presses do not render the head again. */
  readonly act: RefObject<TableProps>;
  readonly isShownSelected: boolean;
}

/** The column heads: click sorts, drag moves, the edge resizes. */
export const TableHead = memo(function TableHead({ act, columns, sort, change, isShownSelected }: TableHeadProps) {
  const { records: texts } = useTexts();
  const [target, setTarget] = useState<string>();
  const put = (next: readonly Column[]) => change({ columns: choiceOf(next) });
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <span role="columnheader" className={styles.check}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={texts.selectShown}
          checked={isShownSelected}
          onChange={() => (isShownSelected ? act.current.marks.clear() : act.current.marks.selectShown())}
        />
      </span>
      {columns.map((column) => {
        const key = sort.find(({ field }) => field === column.path);
        return (
          <span
            key={column.path}
            role="columnheader"
            aria-sort={key ? (key.direction === 'asc' ? 'ascending' : 'descending') : undefined}
            className={target === column.path ? `${styles.headCell} ${styles.dropBefore}` : styles.headCell}
            data-column={column.path}
          >
            <button
              type="button"
              tabIndex={-1}
              className={column.isEnd ? `${styles.headButton} ${styles.end}` : styles.headButton}
              title={column.label}
              onClick={(event) => change({ sort: nextSort(sort, column.path, event.shiftKey) })}
              onPointerDown={(event) => drag(event, column, columns, setTarget, put)}
            >
              <bdi className="clip">{column.label}</bdi>
              {key &&
                (key.direction === 'asc' ? (
                  <ArrowUp size={12} aria-hidden="true" />
                ) : (
                  <ArrowDown size={12} aria-hidden="true" />
                ))}
            </button>
            <span
              className={styles.grip}
              title={texts.resize(column.label)}
              onPointerDown={(event) => resize(event, column, columns, put)}
            />
          </span>
        );
      })}
    </div>
  );
});

/** Cycles through ascending, descending and none; Shift adds to the existing sort. */
function nextSort(sort: ListState['sort'], field: string, isFurther: boolean): ListState['sort'] {
  const was = sort.find((key) => key.field === field)?.direction;
  const rest = isFurther ? sort.filter((key) => key.field !== field) : [];
  if (was === 'desc') return rest;
  return [...rest, { field, direction: was === 'asc' ? 'desc' : 'asc' }].slice(-5) as ListState['sort'];
}

/** While the edge is dragged, only the table has the width; on release, the address gets it. */
function resize(
  event: PointerEvent<HTMLElement>,
  column: Column,
  columns: readonly Column[],
  put: (next: readonly Column[]) => void,
): void {
  event.preventDefault();
  event.stopPropagation();
  const grip = event.currentTarget;
  const grid = grip.closest<HTMLElement>('[role=presentation]');
  const sign = getComputedStyle(grip).direction === 'rtl' ? -1 : 1;
  const from = event.clientX;
  const was = grip.parentElement?.offsetWidth ?? column.width;
  const widthAt = (x: number) => Math.min(widest, Math.max(narrowest, was + sign * (x - from)));
  const resized = (width: number) =>
    columns.map((one) => (one.path === column.path ? { ...one, width, isSized: true } : one));
  follow(grip, event.pointerId, {
    move: ({ clientX }) => grid?.style.setProperty('--columns', tracksOf(resized(widthAt(clientX)))),
    end: ({ clientX }) => put(resized(widthAt(clientX))),
  });
}

const dragBegins = 6;

function drag(
  event: PointerEvent<HTMLElement>,
  column: Column,
  columns: readonly Column[],
  show: (target: string | undefined) => void,
  put: (next: readonly Column[]) => void,
): void {
  if (event.button !== 0 || event.pointerType === 'touch') return;
  const button = event.currentTarget;
  const from = event.clientX;
  let target: string | undefined;
  const over = (x: number, y: number) =>
    document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')?.dataset['column'];
  follow(button, event.pointerId, {
    move({ clientX, clientY }) {
      if (Math.abs(clientX - from) < dragBegins && target === undefined) return;
      target = over(clientX, clientY) ?? target;
      show(target);
    },
    end() {
      show(undefined);
      if (target === undefined || target === column.path) return;
      // Suppresses the click that ends a drag.
      button.addEventListener('click', (click) => click.stopPropagation(), { once: true, capture: true });
      const rest = columns.filter(({ path }) => path !== column.path);
      const to = columns.findIndex(({ path }) => path === target);
      put([...rest.slice(0, to), column, ...rest.slice(to)]);
    },
  });
}

function follow(
  element: HTMLElement,
  pointerId: number,
  { move, end }: Record<'move' | 'end', (event: globalThis.PointerEvent) => void>,
): void {
  element.setPointerCapture(pointerId);
  element.addEventListener('pointermove', move);
  element.addEventListener(
    'pointerup',
    (event) => {
      element.removeEventListener('pointermove', move);
      end(event);
    },
    { once: true },
  );
}
