import type { ReactNode, RefObject } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import menus from './menu.module.css';
import styles from './pop.module.css';

export interface PopProps {
  readonly at: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly close: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** What opens at a button; Esc closes it, and the focus returns. */
export function PopOver({ at, label, close, isWide = false, children }: PopProps) {
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      triggerRef={at}
      placement="bottom start"
      className={isWide ? `${menus.popover} ${styles.wide}` : (menus.popover ?? '')}
    >
      <Dialog aria-label={label} className={styles.dialog ?? ''}>
        {children}
      </Dialog>
    </Popover>
  );
}
