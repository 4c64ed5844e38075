import { X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Layer } from './layer.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
  /** The buttons at its foot, the main one last. */
  readonly actions?: ReactNode;
  /** `alertdialog` for what cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog';
}

/** A dialog above the page: for sending, for what cannot be undone, and for larger forms. Esc closes it. */
export function Dialog({ title, isOpen, close, children, actions, role = 'dialog' }: DialogProps) {
  const { shell } = useTexts();
  const id = useId();
  if (!isOpen) return null;
  return (
    <Layer close={close} isDim>
      <div role={role} aria-modal="true" aria-labelledby={id} tabIndex={-1} className={styles.dialog}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={close} />
        </header>
        <div className={styles.body}>{children}</div>
        {actions !== undefined && <footer className={styles.foot}>{actions}</footer>}
      </div>
    </Layer>
  );
}
