import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import styles from './duplicates.module.css';

/** References to the duplicates that would move to the record that stays, counted by object. */
export function Moved({ moved }: { moved: Readonly<Record<string, number>> }) {
  const { duplicates } = useTexts();
  const { objects } = useWorkspace();
  const formats = useFormats();
  const parts = Object.entries(moved).filter(([, n]) => n > 0);
  const total = parts.reduce((sum, [, n]) => sum + n, 0);
  const label = (path: string) => {
    if (path === 'lists') return duplicates.lists;
    const [object = '', field = ''] = path.split('.');
    const shape = objects.get(object);
    return `${shape?.label ?? object}, ${shape?.fields.find(({ name }) => name === field)?.label ?? field}`;
  };
  return (
    <div className={styles.moved} role="status">
      <p>{duplicates.moves(total)}</p>
      <ul>
        {parts.map(([path, n]) => (
          <li key={path}>
            <span className="dim">{label(path)}</span> <b className="numeric">{formats.number(n)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
