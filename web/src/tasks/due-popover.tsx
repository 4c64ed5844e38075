import { useState } from 'react';
import { messageOf } from '../api/kith.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Anchored } from '../ui/anchored.tsx';
import { Field } from '../ui/field.tsx';
import { dayIn } from '../values/days.ts';
import styles from './tasks.module.css';

interface DuePopoverProps {
  readonly at: HTMLElement;
  /** Saves the day; null removes it. */
  readonly save: (day: string | null) => Promise<void>;
  readonly close: () => void;
}

/** Asks for another day as text: Enter saves, errors are shown below the input. */
export function DuePopover({ at, save, close }: DuePopoverProps) {
  const { tasks } = useTexts();
  const formats = useFormats();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const day = dayIn(text, new Date());
  const submit = () => {
    if (text.trim() !== '' && day === undefined) return setError(tasks.notADay(text));
    save(day ?? null).then(close, (refusal: unknown) => setError(messageOf(refusal)));
  };
  return (
    <Anchored at={at} label={tasks.toDate} close={close} className={styles.due}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label={tasks.due} error={error} hint={day ? formats.longDay(day) : tasks.dueHint}>
          {(control) => (
            <input
              {...control}
              autoFocus
              autoComplete="off"
              value={text}
              onChange={({ target }) => (setText(target.value), setError(undefined))}
            />
          )}
        </Field>
      </form>
    </Anchored>
  );
}
