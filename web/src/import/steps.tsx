import { Check } from 'lucide-react';
import { useTexts } from '../i18n/language.tsx';
import styles from './import.module.css';

export type Step = 'file' | 'columns' | 'review' | 'done';

const order: readonly Step[] = ['file', 'columns', 'review', 'done'];

/** The four steps of an import; the current one is marked. */
export function Steps({ at }: { at: Step }) {
  const { imports } = useTexts();
  const now = order.indexOf(at);
  return (
    <ol className={styles.steps} aria-label={imports.progress}>
      {order.map((step, index) => (
        <li key={step} aria-current={index === now ? 'step' : undefined}>
          <i className={index < now ? styles.past : index === now ? styles.present : styles.future} aria-hidden="true">
            {index < now ? <Check size={12} /> : index + 1}
          </i>
          <span>{imports.steps[step]}</span>
          {index < now && <span className="unseen">{imports.stepDone}</span>}
        </li>
      ))}
    </ol>
  );
}
