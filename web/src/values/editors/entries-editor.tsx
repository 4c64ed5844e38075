/** Edits email addresses and phone numbers: lines of address, label, and whether it is primary. */
import { useRef, useState } from 'react';
import { Star, X } from 'lucide-react';
import { useTexts } from '../../i18n/language.tsx';
import { entriesIn, type Entry } from '../shapes.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';

interface Line extends Entry {
  readonly key: number;
}

/** All lines are saved together when the last of them is left. */
export function EntriesEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const adding = useRef<HTMLButtonElement>(null);
  const key = field.type === 'EMAILS' ? 'email' : 'phone';
  const [lines, setLines] = useState<readonly Line[]>(() => {
    const there = entriesIn(value).map((entry, index) => ({ ...entry, key: index }));
    return there.length > 0 ? there : [emptyLine(0, true)];
  });
  const keep = () => {
    const before = entriesIn(value).map((entry) => wire(entry, key));
    const next = withPrimary(lines.filter(({ text }) => text.trim() !== '')).map((entry) => wire(entry, key));
    if (JSON.stringify(before) === JSON.stringify(next)) ending.stop();
    else ending.keep(next);
  };
  const change = (line: Line, part: Partial<Entry>) =>
    setLines(
      lines.map((one) =>
        one.key === line.key ? { ...one, ...part } : part.isPrimary ? { ...one, isPrimary: false } : one,
      ),
    );
  const nextKey = Math.max(-1, ...lines.map((line) => line.key)) + 1;
  return (
    <Frame label={field.label} error={error} keep={keep} stop={ending.stop}>
      {(described) => (
        <span className={styles.parts} {...described}>
          {lines.map((line, index) => (
            <EntryLine
              key={line.key}
              line={line}
              kind={key}
              autoFocus={autoFocus && index === 0}
              change={(part) => change(line, part)}
              remove={() => {
                setLines(lines.filter((one) => one !== line));
                // A removed line must not take the focus with it.
                adding.current?.focus();
              }}
            />
          ))}
          <button
            ref={adding}
            type="button"
            className={styles.add}
            onClick={() => setLines([...lines, emptyLine(nextKey, lines.length === 0)])}
          >
            {values.add}
          </button>
        </span>
      )}
    </Frame>
  );
}

interface EntryLineProps {
  readonly line: Line;
  readonly kind: 'email' | 'phone';
  readonly autoFocus: boolean;
  readonly change: (part: Partial<Entry>) => void;
  readonly remove: () => void;
}

function EntryLine({ line, kind, autoFocus, change, remove }: EntryLineProps) {
  const { values, shell } = useTexts();
  return (
    <span className={styles.row}>
      <input
        className={styles.input}
        aria-label={values.entry[kind]}
        inputMode={kind === 'email' ? 'email' : 'tel'}
        autoFocus={autoFocus}
        value={line.text}
        onChange={(event) => change({ text: event.target.value })}
      />
      <input
        className={`${styles.input} ${styles.short}`}
        aria-label={values.label}
        placeholder={values.label}
        value={line.label}
        onChange={(event) => change({ label: event.target.value })}
      />
      <button
        type="button"
        className={styles.icon}
        aria-label={values.makePrimary}
        title={values.makePrimary}
        aria-pressed={line.isPrimary}
        onClick={() => change({ isPrimary: true })}
      >
        <Star size={14} fill={line.isPrimary ? 'currentcolor' : 'none'} />
      </button>
      <button type="button" className={styles.icon} aria-label={shell.remove} onClick={remove}>
        <X size={14} />
      </button>
    </span>
  );
}

function emptyLine(key: number, isPrimary: boolean): Line {
  return { key, text: '', label: '', isPrimary };
}

function withPrimary(lines: readonly Line[]): readonly Line[] {
  return lines.some(({ isPrimary }) => isPrimary)
    ? lines
    : lines.map((line, index) => ({ ...line, isPrimary: index === 0 }));
}

function wire({ text, label, isPrimary }: Entry, key: 'email' | 'phone') {
  return { [key]: text.trim(), label: label.trim() === '' ? null : label.trim(), is_primary: isPrimary };
}
