/** A section: its name, the number of its records, and a button that adds one. */
import { Plus } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useFormats } from '../i18n/language.tsx';
import styles from './relations-pane.module.css';

interface SectionProps {
  readonly title: string;
  readonly total: number;
  /** The button that adds one; undefined if the role does not allow it. */
  readonly add?: { readonly label: string; readonly ref: Ref<HTMLButtonElement>; readonly run: () => void } | undefined;
  readonly children: ReactNode;
}

/** One section. */
export function Section({ title, total, add, children }: SectionProps) {
  const formats = useFormats();
  return (
    <section className={styles.section}>
      <header>
        <h2>
          <bdi>{title}</bdi> <span className="faint numeric">{formats.number(total)}</span>
        </h2>
        {add && (
          <button
            ref={add.ref}
            type="button"
            className={styles.icon}
            aria-label={add.label}
            title={add.label}
            aria-haspopup="dialog"
            onClick={add.run}
          >
            <Plus size={14} aria-hidden="true" />
          </button>
        )}
      </header>
      <ul>{children}</ul>
    </section>
  );
}
