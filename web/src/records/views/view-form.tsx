import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useWork } from '../../ui/use-work.ts';
import styles from './views.module.css';

interface ViewFormProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  /** The button's label. */
  readonly label: string;
  /** Saves under the trimmed name. */
  readonly save: (name: string) => Promise<void>;
  readonly children?: ReactNode;
}

/** Asks for the name of a view. */
export function ViewForm({ name, setName, label, save, children }: ViewFormProps) {
  const { records } = useTexts();
  const { isWorking, problem, run } = useWork();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => save(name.trim()));
      }}
    >
      <input
        type="text"
        autoFocus
        required
        maxLength={200}
        aria-label={records.viewName}
        placeholder={records.viewName}
        value={name}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
      {children}
      <Problem text={problem} />
      <Button kind="main" type="submit" isWorking={isWorking} disabled={name.trim() === ''}>
        {label}
      </Button>
    </form>
  );
}
