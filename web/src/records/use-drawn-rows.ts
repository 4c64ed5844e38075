import { useEffect, type RefObject } from 'react';
import { rowHeight } from '../app/row-height.ts';
import { useIsPhone } from '../app/use-is-phone.ts';
import { pageSize } from './rows-cache.ts';
import type { TableProps } from './table-props.ts';
import { useInView } from './use-in-view.ts';
import { useWindow, type RowWindow } from './use-window.ts';

const headHeight = 28;
/** The height of the selection bar, which covers the last rows. */
const barHeight = 56;
/** Most rows beyond the loaded ones that one can scroll to while they load. */
const mostAhead = 1_000;

export interface DrawnRows extends Pick<RowWindow, 'indexes' | 'span'> {
  /** The heights of a row and of the head, in pixels. */
  readonly height: number;
  readonly head: number;
  /** The total height, including rows that are still loading. */
  readonly whole: number;
}

/** The rows to render and their positions; loads what is scrolled to, and keeps the cursor in view. */
export function useDrawnRows(
  scroll: RefObject<HTMLElement | null>,
  { rows, marks }: Pick<TableProps, 'rows' | 'marks'>,
): DrawnRows {
  const isPhone = useIsPhone();
  const known = rows.records.length;
  const height = isPhone ? 52 : rowHeight();
  const head = isPhone ? 0 : headHeight;
  const count = rows.hasMore ? Math.min(rows.total ?? 0, known + mostAhead) : known;
  const { indexes, span, seen } = useWindow(scroll, count, height);
  const last = Math.min(count, span.to) - 1;
  useEffect(() => {
    if (last >= known - pageSize / 2) rows.more();
  }, [last, known, rows]);
  const isSelecting = marks.ids.size > 0 || marks.isAll;
  useInView(scroll, seen, marks.cursor?.row, { row: height, head, over: isSelecting ? barHeight : 0 });
  return { indexes, span, height, head, whole: head + count * height };
}
