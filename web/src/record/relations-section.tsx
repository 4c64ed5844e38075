/** A part of what belongs to a record: its name, how many there are, and a way to add one. */
import { Plus } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useFormats } from '../i18n/language.tsx';
import styles from './relations-pane.module.css';

interface SectionProps {
  readonly title: string;
  readonly total: number;
  /** What adds one, and what that is called; undefined where the role may not. */
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
            <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
          </button>
        )}
      </header>
      <ul>{children}</ul>
    </section>
  );
}
