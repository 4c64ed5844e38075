import { useTexts } from '../i18n/language.tsx';
import type { List } from '../records/use-list.ts';
import styles from './board.module.css';
import { groupFields, type Grouping } from './use-board.ts';

/** By what the board has columns. */
export function BoardBar({ list, grouping }: { list: List; grouping: Grouping }) {
  const { board } = useTexts();
  const fields = groupFields(list.object);
  if (fields.length < 2) return undefined;
  return (
    <div className={styles.bar}>
      <label>
        {board.by}{' '}
        <select value={grouping.field.name} onChange={({ target }) => list.change({ group: target.value })}>
          {fields.map(({ name, label, type }) => (
            <option key={name} value={name}>
              {type === 'PIPELINE' ? board.stepOf(grouping.pipeline?.name ?? label) : label}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
