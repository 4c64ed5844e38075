import { X } from 'lucide-react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
  /** What is done at its foot, the main thing last. */
  readonly actions?: ReactNode;
  /** `alertdialog` where something ends for good. */
  readonly role?: 'dialog' | 'alertdialog';
}

/** A dialog over the page: for what leaves the building, ends for good, or has a sheet of its own. Esc closes it. */
export function Dialog({ title, isOpen, close, children, actions, role = 'dialog' }: DialogProps) {
  const { shell } = useTexts();
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog role={role} className={styles.dialog ?? ''}>
          <header className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button kind="bare" aria-label={shell.close} icon={<X size={14} />} onClick={close} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.foot}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
