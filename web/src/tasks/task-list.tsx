import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, type CSSProperties } from 'react';
import { useActiveRow } from '../app/use-active-row.ts';
import { useIsPhone } from '../app/use-is-phone.ts';
import { useMoreAtEnd } from '../app/use-more-at-end.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Asking } from './asking.tsx';
import { dayGroups, groupOf, type DayGroup, type Task } from './task-data.ts';
import { TaskRow } from './task-row.tsx';
import styles from './tasks.module.css';
import { useTaskKeys } from './use-task-keys.ts';
import type { TaskWrites } from './use-task-writes.ts';

/** Row heights; touch needs higher rows. */
const [row, rowOnPhone] = [26, 40];

interface TaskListProps {
  readonly all: readonly Task[];
  readonly total: number;
  readonly writes: TaskWrites;
  readonly open: (id: string) => void;
  readonly more: (() => void) | undefined;
  readonly showsAssignee: boolean;
}

type Line = { readonly group: DayGroup; readonly count: number | undefined } | Task;

/** Tasks grouped by due day; only those in view are rendered. */
export function TaskList({ all, total, writes, open, more, showsAssignee }: TaskListProps) {
  const { tasks } = useTexts();
  const { timezone } = useWorkspace().reader;
  const scroll = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(all, more !== undefined, timezone), [all, more, timezone]);
  const ordered = useMemo(() => lines.filter((line): line is Task => 'id' in line), [lines]);
  const isPhone = useIsPhone();
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (isPhone ? rowOnPhone : row),
    getItemKey: (at) => keyOf(lines[at]!),
    overscan: 8,
  });
  useEffect(() => virtual.measure(), [virtual, isPhone]);
  const active = useActiveRow(
    ordered.map(({ id }) => id),
    (at) => virtual.scrollToIndex(lines.indexOf(ordered[at]!)),
  );
  const { question, answered } = useTaskKeys({ scroll, active, task: ordered[active.at], writes, open });
  const items = virtual.getVirtualItems();
  useMoreAtEnd(items, lines.length, more);
  return (
    <div ref={scroll} className={styles.scroll} role="grid" aria-label={tasks.list} aria-rowcount={total}>
      <div role="rowgroup" className={styles.rows} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const line = lines[index]!;
          const style = { transform: `translateY(${start}px)` };
          if (!('id' in line)) return <GroupHead key={key} {...line} style={style} />;
          return (
            <div
              key={key}
              ref={active.ref(line.id)}
              role="row"
              aria-rowindex={ordered.indexOf(line) + 1}
              aria-selected={line.id === active.id}
              tabIndex={line.id === active.id ? 0 : -1}
              className={styles.row}
              style={style}
              onFocus={() => active.choose(line.id)}
            >
              <div role="gridcell" className={styles.cell}>
                <TaskRow
                  task={line}
                  complete={() => void writes.complete(line)}
                  open={() => open(line.id)}
                  showsAssignee={showsAssignee}
                />
              </div>
            </div>
          );
        })}
      </div>
      {question && <Asking question={question} writes={writes} close={answered} />}
    </div>
  );
}

interface GroupHeadProps {
  readonly group: DayGroup;
  readonly count: number | undefined;
  readonly style: CSSProperties;
}

function GroupHead({ group, count, style }: GroupHeadProps) {
  const { tasks } = useTexts();
  const formats = useFormats();
  return (
    <div role="row" className={styles.group} data-group={group} style={style}>
      <div role="gridcell">
        {tasks.groups[group]} {count !== undefined && <span className="faint">{formats.number(count)}</span>}
      </div>
    </div>
  );
}

function keyOf(line: Line): string {
  return 'id' in line ? line.id : line.group;
}

/** Group heads with their tasks, in order. If there are more pages, the last group shows no count. */
function linesOf(all: readonly Task[], isCut: boolean, zone: string): Line[] {
  const now = new Date();
  const byGroup = Map.groupBy(all, (task) => groupOf(task, zone, now));
  return dayGroups.flatMap((group) => {
    const members = byGroup.get(group);
    const isOpenEnded = isCut && members?.at(-1) === all.at(-1);
    return members ? [{ group, count: isOpenEnded ? undefined : members.length }, ...members] : [];
  });
}
