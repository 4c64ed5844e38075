import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useLanguage, useTexts } from '../i18n/language.tsx';
import { languages, type Language } from '../i18n/languages.ts';
import menus from '../ui/menu.module.css';
import type { Over } from './over.ts';
import { useWorkspace } from './workspace-context.tsx';

interface PersonChoicesProps {
  readonly at: HTMLElement;
  readonly open: (over: Over) => void;
  readonly close: () => void;
}

/** What the person's menu offers, at its button. */
export function PersonChoices({ at, open, close }: PersonChoicesProps) {
  const { shell } = useTexts();
  const { reader } = useWorkspace();
  const { language, choose } = useLanguage();
  const others = (Object.keys(languages) as Language[]).filter((one) => one !== language);
  const item = menus.item ?? '';
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      triggerRef={{ current: at }}
      placement="top start"
      className={menus.popover ?? ''}
    >
      <Menu className={menus.menu ?? ''} aria-label={reader.name} autoFocus="first" onClose={close}>
        {others.map((one) => (
          <MenuItem key={one} id={one} className={item} onAction={() => choose(one)}>
            {languages[one]}
          </MenuItem>
        ))}
        <MenuItem id="keys" className={item} onAction={() => open('keys')}>
          {shell.keys}
        </MenuItem>
        <MenuItem id="organization" className={item} onAction={() => location.assign('/signin/organization')}>
          {shell.anotherOrganization}
        </MenuItem>
        <MenuItem id="out" className={item} onAction={signOut}>
          {shell.signOut}
        </MenuItem>
      </Menu>
    </Popover>
  );
}

/** As the form of the settings does. */
function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/signout';
  document.body.append(form);
  form.submit();
}
