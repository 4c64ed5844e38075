import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useKeys } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';
import { useWork } from './use-work.ts';
import form from './form.module.css';
import styles from './overview.module.css';

interface NewByNameProps {
  /** What the key does that leads here. */
  readonly action: string;
  /** What is asked for. */
  readonly label: string;
  readonly create: (name: string) => Promise<void>;
  /** What else it takes. */
  readonly children?: ReactNode;
}

/** A name for something new, and what the service says against it. */
export function NewByName({ action, label, create, children }: NewByNameProps) {
  const { shell } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const { isWorking, problem, run } = useWork();
  useKeys([{ keys: 'c', label: action, run: () => input.current?.focus() }]);
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    return run(() => create(name.trim()));
  };
  return (
    <form className={styles.create} onSubmit={(event) => void send(event)}>
      <input
        ref={input}
        className={form.input}
        aria-label={label}
        placeholder={label}
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {children}
      <Button type="submit" isWorking={isWorking}>
        {shell.create}
      </Button>
      <Problem text={problem} />
    </form>
  );
}
