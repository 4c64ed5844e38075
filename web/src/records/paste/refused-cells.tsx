import { X } from 'lucide-react';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import styles from '../bulk/bulk.module.css';
import type { Paste } from './use-paste.ts';

/** Lists the cells that kept their values, with reasons. */
export function RefusedCells({ paste: { refused, forget } }: { paste: Paste }) {
  const { records, shell } = useTexts();
  if (refused.length === 0) return undefined;
  return (
    <div className={styles.bar} role="alert">
      <details open={refused.length <= 3}>
        <summary>{records.cellsRefused(refused.length)}</summary>
        <ul className={styles.refused}>
          {refused.map(({ record, field, text, reason }, at) => (
            <li key={at}>
              <bdi>{record.slice(0, 60)}</bdi>, <bdi>{field}</bdi>, “<bdi>{text.slice(0, 80)}</bdi>”: {reason}
            </li>
          ))}
        </ul>
      </details>
      <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={forget} />
    </div>
  );
}
