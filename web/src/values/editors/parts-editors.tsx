/** Editors of values with several parts: money, addresses, date ranges. */
import { useState } from 'react';
import { useFormats, useTexts } from '../../i18n/language.tsx';
import { useWorkspace } from '../../app/workspace-context.tsx';
import { dayIn } from '../days.ts';
import { isObject, moneyIn, rangeIn, textIn } from '../shapes.ts';
import { hasTooManyDigits, numberTyped } from '../typed.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';
import { useDecimal } from './line-editor.tsx';

/** An amount and a currency code, by default the organization's. */
export function MoneyEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false, begun } = props;
  const { values } = useTexts();
  const { reader } = useWorkspace();
  const decimal = useDecimal();
  const ending = useEnding(props);
  const money = moneyIn(value);
  const [amount, setAmount] = useState(begun ?? (money ? String(money.amount).replace('.', decimal) : ''));
  const [currency, setCurrency] = useState(money?.currency ?? reader.currency);
  const [problem, setProblem] = useState<string>();
  const keep = () => {
    if (amount.trim() === '') return ending.keep(null);
    const number = numberTyped(amount, decimal);
    if (number === undefined) return setProblem(values.problems.number);
    if (hasTooManyDigits(amount)) return setProblem(values.problems.digits);
    if (!/^[A-Za-z]{3}$/.test(currency.trim())) return setProblem(values.problems.currency);
    ending.keep({ amount: number, currency: currency.trim().toUpperCase() });
  };
  return (
    <Frame label={field.label} problem={problem} error={error} keep={keep} stop={ending.stop}>
      {(described) => (
        <span className={styles.row}>
          <input
            {...described}
            className={styles.input}
            aria-label={values.amount}
            inputMode="decimal"
            autoFocus={autoFocus}
            value={amount}
            onFocus={(event) => begun === undefined && event.target.select()}
            onChange={(event) => (setAmount(event.target.value), setProblem(undefined))}
          />
          <input
            className={`${styles.input} ${styles.short}`}
            aria-label={values.currency}
            maxLength={3}
            value={currency}
            onChange={(event) => (setCurrency(event.target.value), setProblem(undefined))}
          />
        </span>
      )}
    </Frame>
  );
}

const parts = ['street', 'street2', 'postal_code', 'city', 'state', 'country'] as const;

/** The parts of an address, one line each. */
export function AddressEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(parts.map((part) => [part, isObject(value) ? (textIn(value[part]) ?? '') : ''])),
  );
  const keep = () => {
    const given = Object.fromEntries(parts.map((part) => [part, typed[part]?.trim() || null]));
    const before = isObject(value) ? value : {};
    if (parts.every((part) => given[part] === (before[part] ?? null))) ending.stop();
    else ending.keep(Object.values(given).every((part) => part === null) ? null : given);
  };
  return (
    <Frame label={field.label} error={error} keep={keep} stop={ending.stop}>
      {() => (
        <span className={styles.parts}>
          {parts.map((part, index) => (
            <input
              key={part}
              className={styles.input}
              aria-label={values.addressParts[part]}
              placeholder={values.addressParts[part]}
              autoFocus={autoFocus && index === 0}
              dir="auto"
              value={typed[part]}
              onChange={(event) => setTyped({ ...typed, [part]: event.target.value })}
            />
          ))}
        </span>
      )}
    </Frame>
  );
}

/** The first and the last day. */
export function RangeEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false } = props;
  const { values } = useTexts();
  const formats = useFormats();
  const ending = useEnding(props);
  const range = rangeIn(value);
  const [typed, setTyped] = useState({ start: range?.start ?? '', end: range?.end ?? '' });
  const [problem, setProblem] = useState<string>();
  const days = { start: dayIn(typed.start, new Date()), end: dayIn(typed.end, new Date()) };
  const keep = () => {
    if (typed.start.trim() === '' && typed.end.trim() === '') return ending.keep(null);
    if (days.start === undefined || days.end === undefined) return setProblem(values.problems.date);
    ending.keep(days);
  };
  const hint = [days.start, days.end].map((day) => (day === undefined ? '…' : formats.day(day))).join(' – ');
  return (
    <Frame label={field.label} problem={problem} error={error} hint={hint} keep={keep} stop={ending.stop}>
      {(described) => (
        <span className={styles.parts}>
          {(['start', 'end'] as const).map((part) => (
            <input
              key={part}
              {...described}
              className={styles.input}
              aria-label={values.rangeParts[part]}
              placeholder={values.rangeParts[part]}
              autoFocus={autoFocus && part === 'start'}
              value={typed[part]}
              onChange={(event) => (setTyped({ ...typed, [part]: event.target.value }), setProblem(undefined))}
            />
          ))}
        </span>
      )}
    </Frame>
  );
}
