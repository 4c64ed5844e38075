import { useEffect, type RefObject } from 'react';
import { rowHeight } from '../app/row-height.ts';
import { useIsPhone } from '../app/use-is-phone.ts';
import { pageSize } from './rows-cache.ts';
import type { TableProps } from './table-props.ts';
import { useInView } from './use-in-view.ts';
import { useWindow, type RowWindow } from './use-window.ts';

const headHeight = 28;
/** What stands over the last rows while some are selected. */
const barHeight = 56;
/** So far beyond what has come one may scroll: what lies there is on its way. */
const mostAhead = 1_000;

export interface DrawnRows extends Pick<RowWindow, 'indexes' | 'span'> {
  /** Of a row, and of the head above them, in pixels. */
  readonly height: number;
  readonly head: number;
  /** The whole, with the rows that are on their way. */
  readonly whole: number;
}

/** Which rows of the table are drawn, and how high; what one scrolls to is asked for, and the cursor stays in view. */
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
