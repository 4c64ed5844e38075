import { useTexts } from '../i18n/language.tsx';
import styles from './key-list.module.css';
import { keyText, setSingleLetters, useListedKeys, useSingleLetters } from './keys.ts';

/** A list of keys and their actions; `isPage` selects those of the open page, otherwise the global ones. */
export function KeyList({ title, isPage }: { title: string; isPage: boolean }) {
  const keys = useListedKeys().filter((key) => key.isPage === isPage);
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

/** Switches single-letter keys on or off; this browser remembers it. */
export function LettersSwitch() {
  const { keySheet } = useTexts();
  return (
    <div>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={useSingleLetters()}
          onChange={({ target }) => setSingleLetters(target.checked)}
        />
        {keySheet.singleLetters}
      </label>
      <p className="hint">{keySheet.singleLettersHint}</p>
    </div>
  );
}
