/** The signed-in person, and their menu: language, theme, keys, other organizations, sign-out. */
import { Moon } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from './lazy-part.ts';
import { useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import styles from './person-menu.module.css';
import type { Over } from './over.ts';
import { changeTheme } from './theme.ts';
import { useWorkspace } from './workspace-context.tsx';

const PersonChoices = lazyPart(
  () => import('./person-choices.tsx'),
  (file) => file.PersonChoices,
);

/** The foot of the side bar. */
export function PersonMenu({ open }: { open: (over: Over) => void }) {
  const { shell } = useTexts();
  const { reader } = useWorkspace();
  const [button, setButton] = useState<HTMLButtonElement>();
  return (
    <div className={styles.person}>
      <button
        type="button"
        className={styles.who}
        aria-haspopup="menu"
        aria-expanded={button !== undefined}
        title={reader.name}
        onClick={({ currentTarget }) => setButton(currentTarget)}
      >
        <Avatar name={reader.name} />
        <bdi className={styles.name}>{reader.name}</bdi>
      </button>
      {button && <PersonChoices at={button} open={open} close={() => setButton(undefined)} />}
      <button
        type="button"
        className={styles.theme}
        aria-label={shell.changeTheme}
        title={shell.changeTheme}
        onClick={changeTheme}
      >
        <Moon size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
