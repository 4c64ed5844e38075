import { useTexts } from '../i18n/language.tsx';
import type { List } from '../records/use-list.ts';
import styles from './board.module.css';
import { groupFields, withPipeline, type Grouping } from './grouping.ts';

/** What the columns stand for: a field, and for steps the pipeline. */
export function BoardBar({ list, grouping }: { list: List; grouping: Grouping }) {
  const { board } = useTexts();
  const { field, pipeline, pipelines } = grouping;
  const fields = groupFields(list.object);
  if (fields.length < 2 && pipelines.length < 2) return undefined;
  return (
    <div className={styles.bar}>
      <label>
        {board.by}{' '}
        <select value={field.name} onChange={({ target }) => list.change({ group: target.value })}>
          {fields.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {pipelines.length > 1 && (
        <label>
          {board.of}{' '}
          <select
            value={pipeline?.id}
            onChange={({ target }) => list.change({ filter: withPipeline(list.state.filter, target.value) })}
          >
            {pipelines.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
