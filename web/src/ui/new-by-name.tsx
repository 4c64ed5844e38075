import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useKeys } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';
import { useWork } from './use-work.ts';
import form from './form.module.css';
import styles from './overview.module.css';

interface NewByNameProps {
  /** The label of the key that focuses it. */
  readonly action: string;
  /** The label of the input. */
  readonly label: string;
  readonly create: (name: string) => Promise<void>;
  /** Further fields of the form. */
  readonly children?: ReactNode;
}

/** A form for something new that needs only a name, with the service's error. */
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
