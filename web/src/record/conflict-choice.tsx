/** Two values of one field: the reader's, and the one that somebody else has saved meanwhile. */
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Field, KithRecord } from '../api/workspace.ts';
import { keyText } from '../app/keys.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { textOf } from '../values/text-of.ts';
import styles from './field-row.module.css';
import type { Standing } from './saving.ts';

interface ConflictChoiceProps {
  readonly field: Field;
  readonly record: KithRecord;
  readonly standing: Extract<Standing, { is: 'conflict' }>;
  /** The reader's value in the form that the record shows. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly choose: (isMine: boolean) => void;
}

/** Enter saves the chosen value, Esc takes theirs. */
export function ConflictChoice({ field, record, standing, shown, choose }: ConflictChoiceProps) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  const [isMine, setIsMine] = useState(true);
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => group.current?.querySelector('input')?.focus(), []);
  const who = standing.who ?? texts.somebody;
  const written = (values: KithRecord) => textOf(field, values, formats) || texts.nothing;
  const choices = [
    { is: true, text: texts.mine(written({ ...record, ...shown })) },
    { is: false, text: texts.theirs(who, written(standing.theirs)) },
  ];
  return (
    <fieldset
      ref={group}
      className={styles.conflict}
      aria-label={texts.changedBySomebody(who)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') choose(false);
        else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) choose(isMine);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span className={styles.warning}>
        <TriangleAlert size={14} aria-hidden="true" />
        {texts.changedBySomebody(who)}
      </span>
      {choices.map(({ is, text }) => (
        <label key={text}>
          <input type="radio" name={`conflict-${field.name}`} checked={isMine === is} onChange={() => setIsMine(is)} />
          <bdi>{text}</bdi>
        </label>
      ))}
      <span className={styles.actions}>
        <Button hint={keyText('Enter')} onClick={() => choose(isMine)}>
          {texts.saveChoice}
        </Button>
        <Button kind="bare" hint={keyText('Escape')} onClick={() => choose(false)}>
          {texts.discardMine}
        </Button>
      </span>
    </fieldset>
  );
}
