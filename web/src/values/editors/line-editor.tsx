/** A single-line editor: text, numbers, dates, times, durations, email addresses, web addresses. */
import { useState } from 'react';
import { useFormats, useLanguage, useTexts } from '../../i18n/language.tsx';
import { numberIn, textIn } from '../shapes.ts';
import { valueText } from '../text-of.ts';
import { typed } from '../typed.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';

const showing = new Set(['DATE', 'DATETIME', 'DURATION', 'ELAPSED_TIME']);
const inputModes: Readonly<Record<string, 'decimal' | 'numeric' | 'email' | 'url'>> = {
  NUMBER: 'decimal',
  DECIMAL: 'decimal',
  PERCENT: 'decimal',
  INTEGER: 'numeric',
  EMAIL: 'email',
  URL: 'url',
};

/** An input whose text is parsed when it is saved; text that cannot be parsed stays, with the reason. */
export function LineEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false, begun } = props;
  const { values } = useTexts();
  const formats = useFormats();
  const decimal = useDecimal();
  const ending = useEnding(props);
  const [text, setText] = useState(begun ?? startOf(field.type, value, decimal));
  const [problem, setProblem] = useState<string>();
  const read = typed(field, text, decimal, new Date());
  const keep = () => {
    if (text === startOf(field.type, value, decimal)) ending.stop();
    else if ('problem' in read) setProblem(values.problems[read.problem]);
    else ending.keep(read.value);
  };
  const hint =
    showing.has(field.type) && 'value' in read && read.value !== null
      ? valueText(field, read.value, formats)
      : undefined;
  return (
    <Frame label={field.label} problem={problem} error={error} hint={hint} keep={keep} stop={ending.stop}>
      {(described) => (
        <input
          {...described}
          className={styles.input}
          aria-label={field.label}
          inputMode={inputModes[field.type]}
          autoFocus={autoFocus}
          dir="auto"
          value={text}
          onFocus={(event) => begun === undefined && event.target.select()}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
      )}
    </Frame>
  );
}

/** The decimal separator of the reader's language. */
export function useDecimal(): '.' | ',' {
  const { language } = useLanguage();
  return (1.5).toLocaleString(language).includes(',') ? ',' : '.';
}

/** The value as editable text, with all digits. */
function startOf(type: string, value: unknown, decimal: '.' | ','): string {
  if (type === 'DATETIME') return textIn(value) === undefined ? '' : localMoment(new Date(String(value)));
  if (type === 'DURATION' || type === 'ELAPSED_TIME') return typeof value === 'number' ? clockOf(value) : '';
  const number = typeof value === 'number' ? numberIn(value) : undefined;
  if (number !== undefined) return String(number).replace('.', decimal);
  return textIn(value) ?? '';
}

function localMoment(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

function clockOf(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, (rest > 0 || seconds === 0) && `${rest} s`]
    .filter(Boolean)
    .join(' ');
}
