/** Editors operated by one key: yes or no, and stars. */
import { X } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../i18n/language.tsx';
import { numberIn } from '../shapes.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';

/** A checkbox. */
export function BooleanEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const [is, setIs] = useState(typeof value === 'boolean' ? value : null);
  return (
    <Frame label={field.label} error={error} keep={() => ending.keep(is)} stop={ending.stop}>
      {(described) => (
        <span className={styles.marks} onKeyDown={(event) => isClearing(event) && setIs(null)}>
          <label className={styles.chosen}>
            <input
              {...described}
              type="checkbox"
              aria-label={field.label}
              autoFocus={autoFocus}
              checked={is === true}
              onChange={(event) => setIs(event.target.checked)}
            />
            {is === null ? '' : is ? values.yes : values.no}
          </label>
          <ClearButton clear={() => setIs(null)} />
        </span>
      )}
    </Frame>
  );
}

/** Stars, set by arrows, 0 to 5, or a click. */
export function RatingEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const [count, setCount] = useState<number | null>(numberIn(value) === undefined ? null : Number(value));
  return (
    <Frame label={field.label} error={error} keep={() => ending.keep(count)} stop={ending.stop}>
      {(described) => (
        <span
          {...described}
          className={styles.stars}
          role="radiogroup"
          aria-label={field.label}
          onKeyDown={(event) => {
            if (/^[0-5]$/.test(event.key)) setCount(Number(event.key));
            if (isClearing(event)) setCount(null);
          }}
        >
          {[1, 2, 3, 4, 5].map((star) => (
            <label key={star}>
              <input
                type="radio"
                name={field.name}
                aria-label={values.stars(star)}
                autoFocus={autoFocus && star === Math.max(1, count ?? 1)}
                checked={star === count}
                onChange={() => setCount(star)}
              />
              <span aria-hidden="true">{star <= (count ?? 0) ? '★' : '☆'}</span>
            </label>
          ))}
          <ClearButton clear={() => setCount(null)} />
        </span>
      )}
    </Frame>
  );
}

/** Clears the value by a click. */
function ClearButton({ clear }: { clear: () => void }) {
  const { values } = useTexts();
  return (
    <button type="button" className={styles.icon} aria-label={values.clear} title={values.clear} onClick={clear}>
      <X size={14} />
    </button>
  );
}

function isClearing({ key }: KeyboardEvent): boolean {
  return key === 'Backspace' || key === 'Delete';
}
