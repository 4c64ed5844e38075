import { useState } from 'react';
import { useTexts } from '../i18n/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './key-sheet.module.css';
import { keyText, setSingleLetters, singleLettersCount, useListedKeys } from './keys.ts';

/** Every key that counts on this page, and the switch for single letters. */
export function KeySheet({ close }: { close: () => void }) {
  const { keySheet } = useTexts();
  const listed = useListedKeys();
  const [lettersCount, setLettersCount] = useState(singleLettersCount);
  return (
    <Dialog title={keySheet.title} isOpen close={close}>
      <List title={keySheet.thisPage} keys={listed.filter(({ isPage }) => isPage)} />
      <List title={keySheet.everywhere} keys={listed.filter(({ isPage }) => !isPage)} />
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={lettersCount}
          onChange={({ target }) => {
            setSingleLetters(target.checked);
            setLettersCount(target.checked);
          }}
        />
        {keySheet.singleLetters}
      </label>
      <p className="hint">{keySheet.singleLettersHint}</p>
    </Dialog>
  );
}

function List({ title, keys }: { title: string; keys: ReturnType<typeof useListedKeys> }) {
  if (keys.length === 0) return undefined;
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {keys.map(({ keys: pressed, label }) => (
          <div key={pressed}>
            <dt>{label}</dt>
            <dd>
              <kbd>{keyText(pressed)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
