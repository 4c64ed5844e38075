/** The menu of further actions. */
import { GitMerge, History, ListPlus, Trash2 } from 'lucide-react';
import { keyText } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Menu, type MenuAction } from '../ui/menu.tsx';

interface RecordMenuProps {
  readonly at: HTMLElement;
  readonly close: () => void;
  readonly showHistory: () => void;
  readonly addToList: () => void;
  /** Undefined if the role does not allow it. */
  readonly merge: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
}

const size = { size: 16, 'aria-hidden': true } as const;

/** Under its button; Esc returns the focus. */
export function RecordMenu({ at, close, showHistory, addToList, merge, remove }: RecordMenuProps) {
  const { record: texts, records } = useTexts();
  const actions: MenuAction[] = [
    { id: 'history', label: texts.history, icon: <History {...size} />, hint: keyText('h'), run: showHistory },
    { id: 'list', label: records.addToList, icon: <ListPlus {...size} />, hint: keyText('l'), run: addToList },
  ];
  if (merge)
    actions.push({
      id: 'merge',
      label: texts.merge,
      icon: <GitMerge {...size} />,
      hint: keyText('shift+m'),
      run: merge,
    });
  if (remove)
    actions.push({
      id: 'remove',
      label: texts.moveToTrash,
      icon: <Trash2 {...size} />,
      hint: keyText('Delete'),
      run: remove,
    });
  return <Menu at={at} label={texts.moreActions} actions={actions} close={close} />;
}
