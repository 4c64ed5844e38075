import { useLanguage, useTexts } from '../i18n/language.tsx';
import { languages, type Language } from '../i18n/languages.ts';
import { Menu, type MenuAction } from '../ui/menu.tsx';
import type { Over } from './over.ts';
import { useWorkspace } from './workspace-context.tsx';

interface PersonChoicesProps {
  readonly at: HTMLElement;
  readonly open: (over: Over) => void;
  readonly close: () => void;
}

/** The choices of the person's menu, at its button. */
export function PersonChoices({ at, open, close }: PersonChoicesProps) {
  const { shell } = useTexts();
  const { reader } = useWorkspace();
  const { language, choose } = useLanguage();
  const others = (Object.keys(languages) as Language[]).filter((one) => one !== language);
  const actions: readonly MenuAction[] = [
    ...others.map((one) => ({ id: one, label: languages[one], run: () => choose(one) })),
    { id: 'keys', label: shell.keys, run: () => open('keys') },
    { id: 'organization', label: shell.anotherOrganization, run: () => location.assign('/signin/organization') },
    { id: 'out', label: shell.signOut, run: signOut },
  ];
  return <Menu at={at} label={reader.name} actions={actions} close={close} placement="top start" />;
}

/** Posts the same form as the settings page. */
function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/signout';
  document.body.append(form);
  form.submit();
}
