/** The frame around every page: the side bar, the palette, and notices while the service is away. */
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { lazyPart } from './lazy-part.ts';
import { useTexts } from '../i18n/language.tsx';
import { redoLast, undoLast } from './changes.ts';
import { listenForKeys, useKeys } from './keys.ts';
import { fetchWhenIdle, whenIdle } from './later.ts';
import { follow } from './live.ts';
import { OfflineBar } from './offline-bar.tsx';
import type { Over } from './over.ts';
import { SideBar } from './side-bar.tsx';
import styles from './shell.module.css';
import { useGoKeys } from './go-keys.ts';
import { useWorkspace } from './workspace-context.tsx';

// Loaded when they are first opened, so that the first list does not wait for them.
const Palette = lazyPart(
  () => import('./palette.tsx'),
  (file) => file.Palette,
);
const KeySheet = lazyPart(
  () => import('./key-sheet.tsx'),
  (file) => file.KeySheet,
);

/** The frame. */
export function Shell() {
  const { shell, palette } = useTexts();
  const { userId } = useWorkspace();
  const [over, setOver] = useState<Over>();
  const [isFolded, setFolded] = useState(false);
  useEffect(() => listenForKeys(), []);
  useEffect(() => {
    const end = new AbortController();
    const callOff = whenIdle(() => follow(userId, end.signal));
    return () => (callOff(), end.abort());
  }, [userId]);
  useEffect(() => fetchWhenIdle(() => import('./palette.tsx')), []);
  useGoKeys();
  useKeys(
    [
      { keys: 'mod+k', label: shell.searchOrDo, whileTyping: true, run: () => setOver('palette') },
      { keys: 'c', label: shell.makeNew, run: () => setOver('new') },
      { keys: '?', label: shell.keys, run: () => setOver('keys') },
      { keys: 'F1', label: shell.keys, whileTyping: true, run: () => setOver('keys') },
      { keys: 'b', label: shell.menu, run: () => setFolded((was) => !was) },
      { keys: 'mod+z', label: shell.undo, run: () => void undoLast(shell) },
      { keys: 'mod+shift+z', label: shell.redo, run: () => void redoLast(shell) },
    ],
    false,
  );
  return (
    <div className={isFolded ? `${styles.frame} ${styles.folded}` : styles.frame}>
      <a className="skip" href="#main">
        {shell.skip}
      </a>
      <SideBar open={setOver} />
      <main id="main" tabIndex={-1} className={styles.main}>
        <OfflineBar />
        <Outlet />
      </main>
      {over === 'new' && <Palette begun={palette.begunNew} close={() => setOver(undefined)} />}
      {over === 'palette' && <Palette close={() => setOver(undefined)} />}
      {over === 'keys' && <KeySheet close={() => setOver(undefined)} />}
    </div>
  );
}
