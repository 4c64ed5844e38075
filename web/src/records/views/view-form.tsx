import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useWork } from '../../ui/use-work.ts';
import styles from './views.module.css';

interface ViewFormProps {
  readonly name: string;
  readonly setName: (name: string) => void;
  /** What the button says. */
  readonly label: string;
  /** Takes the name as it is to be kept. */
  readonly save: (name: string) => Promise<void>;
  readonly children?: ReactNode;
}

/** Asks what a view is called. */
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
