import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { messageOf } from '../api/kith.ts';
import { useKeys } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
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
  const [problem, setProblem] = useState<string>();
  useKeys([{ keys: 'c', label: action, run: () => input.current?.focus() }]);
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    setProblem(undefined);
    await create(name.trim()).catch((error: unknown) => setProblem(messageOf(error)));
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
      <Button type="submit">{shell.create}</Button>
      {problem !== undefined && (
        <p role="alert" className={form.error}>
          {problem}
        </p>
      )}
    </form>
  );
}
