/** Open tasks about the record. */
import { useQuery } from '@tanstack/react-query';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import styles from './relations-pane.module.css';
import { Section } from './relations-section.tsx';

/** Each can be completed here. */
export function TasksOf({ object, id }: { object: string; id: string }) {
  const { record: texts, shell } = useTexts();
  const formats = useFormats();
  const queryKey = [...keys.tasks, 'of', object, id];
  const { data } = useQuery({
    queryKey,
    queryFn: () =>
      kith.tasks.list({
        linked_entity_id: id,
        linked_entity_type: object as 'contacts',
        filters: { type: 'AND', conditions: [{ field: 'is_completed', operator: 'is_false' }] },
        limit: 20,
      }),
  });
  if (!data || data.total === 0) return null;
  const finish = async (task: string) => {
    await written(kith.tasks.complete(task, { completed: true }), { text: texts.taskDone }, shell);
    await Promise.all(
      [keys.tasks, keys.activity(object, id)].map((stale) => queries.invalidateQueries({ queryKey: stale })),
    );
  };
  return (
    <Section title={texts.tasks} total={data.total}>
      {data.data.map((task) => (
        <li key={task.id}>
          <label className={styles.row}>
            <input
              type="checkbox"
              aria-label={texts.taskFor(task.title ?? '')}
              onChange={() => void finish(task.id ?? '')}
            />
            <bdi className={styles.name}>{task.title}</bdi>
            <span className={styles.detail}>{task.due_date ? formats.near(task.due_date) : ''}</span>
          </label>
        </li>
      ))}
    </Section>
  );
}
