/** What else can be done with the record. */
import { GitMerge, History, Trash2 } from 'lucide-react';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { keyText } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import menu from '../ui/menu.module.css';

interface RecordMenuProps {
  readonly at: HTMLElement;
  readonly close: () => void;
  readonly showHistory: () => void;
  /** Undefined where the role may not. */
  readonly merge: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
}

/** Under its button; Esc returns the focus. */
export function RecordMenu({ at, close, showHistory, merge, remove }: RecordMenuProps) {
  const { record: texts } = useTexts();
  const does = { history: showHistory, merge, remove };
  return (
    <Popover
      className={menu.popover ?? ''}
      isOpen
      triggerRef={{ current: at }}
      placement="bottom end"
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Menu
        className={menu.menu ?? ''}
        aria-label={texts.moreActions}
        autoFocus="first"
        onAction={(key) => {
          close();
          does[key as keyof typeof does]?.();
        }}
      >
        <MenuItem id="history" className={menu.item ?? ''} textValue={texts.history}>
          <History size={16} strokeWidth={1.5} aria-hidden="true" />
          {texts.history}
          <kbd aria-hidden="true">{keyText('h')}</kbd>
        </MenuItem>
        {merge && (
          <MenuItem id="merge" className={menu.item ?? ''} textValue={texts.merge}>
            <GitMerge size={16} strokeWidth={1.5} aria-hidden="true" />
            {texts.merge}
            <kbd aria-hidden="true">{keyText('shift+m')}</kbd>
          </MenuItem>
        )}
        {remove && (
          <MenuItem id="remove" className={menu.item ?? ''} textValue={texts.moveToTrash}>
            <Trash2 size={16} strokeWidth={1.5} aria-hidden="true" />
            {texts.moveToTrash}
            <kbd aria-hidden="true">{keyText('Delete')}</kbd>
          </MenuItem>
        )}
      </Menu>
    </Popover>
  );
}
