/** The timeline: what happened around the record, latest first. */
import type { ObjectShape, KithRecord } from '../api/workspace.ts';
import { useLanguage, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Edited } from './timeline-edits.tsx';
import { Happened } from './timeline-line.tsx';
import { grouped, type Group } from './timeline-items.ts';
import styles from './timeline.module.css';
import { useTimeline, type Kind } from './use-timeline.ts';

/** The items, of all kinds or one. */
export function Timeline({ shape, record, kind }: { shape: ObjectShape; record: KithRecord; kind?: Kind | undefined }) {
  const { record: texts, shell } = useTexts();
  const timeline = useTimeline(shape.name, record.id, kind);
  if (timeline.isPending) return <Loading />;
  if (timeline.error !== null && timeline.items.length === 0)
    return <Failure error={timeline.error} again={timeline.again} />;
  if (timeline.items.length === 0) return <Empty>{texts.noActivity}</Empty>;
  return (
    <div className={styles.timeline}>
      {grouped(timeline.items, new Date()).map((group) => (
        <section key={group.part + group.day}>
          <GroupName group={group} />
          <ul>
            {group.items.map((item) => (
              <li key={item.id}>
                {item.kind === 'changes' ? (
                  <Edited shape={shape} record={record} edits={item} />
                ) : (
                  <Happened item={item} record={record} />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {timeline.hasMore && <Button onClick={timeline.more}>{shell.showMore}</Button>}
    </div>
  );
}

function GroupName({ group }: { group: Group }) {
  const { record: texts, tasks } = useTexts();
  const { language } = useLanguage();
  const date = new Date(group.day);
  const name =
    group.part === 'overdue'
      ? tasks.groups.overdue
      : group.part === 'next'
        ? texts.next
        : group.part === 'week'
          ? texts.thisWeek
          : group.part === 'month'
            ? date.toLocaleDateString(language, { month: 'long' })
            : String(date.getFullYear());
  return <h2 className={styles.group}>{name}</h2>;
}

function Loading() {
  return (
    <div className={styles.loading} aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}
