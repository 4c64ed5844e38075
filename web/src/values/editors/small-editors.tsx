/** What is chosen by one key: yes or no, and stars. */
import { useState } from 'react';
import { useTexts } from '../../i18n/language.tsx';
import { numberIn } from '../shapes.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';

/** A box that is ticked or not. */
export function BooleanEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const [is, setIs] = useState(value === true);
  return (
    <Frame
      label={field.label}
      error={error}
      keep={() => ending.keep(is === (value === true) ? value : is)}
      stop={ending.stop}
    >
      {(described) => (
        <label className={styles.chosen}>
          <input
            {...described}
            type="checkbox"
            aria-label={field.label}
            autoFocus={autoFocus}
            checked={is}
            onChange={(event) => setIs(event.target.checked)}
          />
          {is ? values.yes : values.no}
        </label>
      )}
    </Frame>
  );
}

/** Stars by arrows, by 0 to 5, or by a click. */
export function RatingEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const [count, setCount] = useState(Number(numberIn(value) ?? 0));
  const keep = (chosen: number) => ending.keep(chosen === 0 && value === null ? null : chosen);
  return (
    <Frame label={field.label} error={error} keep={() => keep(count)} stop={ending.stop}>
      {(described) => (
        <span
          {...described}
          className={styles.stars}
          role="radiogroup"
          aria-label={field.label}
          onKeyDown={(event) => {
            if (/^[0-5]$/.test(event.key)) setCount(Number(event.key));
          }}
        >
          {[1, 2, 3, 4, 5].map((star) => (
            <label key={star}>
              <input
                type="radio"
                name={field.name}
                aria-label={values.stars(star)}
                autoFocus={autoFocus && star === Math.max(1, count)}
                checked={star === count}
                onChange={() => setCount(star)}
              />
              <span aria-hidden="true">{star <= count ? '★' : '☆'}</span>
            </label>
          ))}
        </span>
      )}
    </Frame>
  );
}
