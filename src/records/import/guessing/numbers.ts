/** Numbers as people and programs write them: `1.234,56`, `$1,200`, `12%`, `1 234,5 €`. */
import { currencySymbols } from '../../../fields/types/currency.ts';

/** The decimal sign. */
export const decimalSigns = ['point', 'comma'] as const;
export type DecimalSign = (typeof decimalSigns)[number];

export interface NumberGuess {
  readonly decimal: DecimalSign;
  /** Whether the values are unambiguous; `1.200` alone is not. */
  readonly isSure: boolean;
  readonly isPercent: boolean;
  readonly hasCurrency: boolean;
  readonly isWhole: boolean;
}

export interface ReadNumber {
  /** Digits with a decimal point. */
  readonly digits: string;
  readonly currency: string | undefined;
}

const symbols: Readonly<Record<string, string>> = {
  ...currencySymbols,
  US$: 'USD',
  CHF: 'CHF',
};
const sign = String.raw`US\$|[$€£¥₹]|[A-Z]{3}`;
/** For a text with single spaces only, so that there are few ways to match it. */
const shape = new RegExp(`^([-+(]?) ?(${sign})? ?(-?[\\d.,'’ ]*\\d[.,]?) ?(${sign}|%)? ?\\)?$`);

/** Guesses the notation of numbers; undefined where more than one in twenty is no number. */
export function guessNumbers(values: readonly string[]): NumberGuess | undefined {
  const given = values.map((value) => value.trim()).filter((value) => value !== '');
  if (given.length === 0) return undefined;
  const fits = (decimal: DecimalSign) => given.flatMap((value) => readNumber(value, decimal) ?? []);
  const [point, comma] = [fits('point'), fits('comma')];
  const decimal = comma.length > point.length ? 'comma' : 'point';
  const best = decimal === 'comma' ? comma : point;
  if (best.length < given.length * 0.95) return undefined;
  const differs = (value: string) => readNumber(value, 'point')?.digits !== readNumber(value, 'comma')?.digits;
  return {
    decimal,
    isSure: point.length !== comma.length && given.some(differs),
    isPercent: given.filter((value) => value.endsWith('%')).length > given.length / 2,
    hasCurrency: best.filter(({ currency }) => currency !== undefined).length > best.length / 2,
    isWhole: best.every(({ digits }) => !digits.includes('.')),
  };
}

/** Reads the number in a cell with that decimal sign; undefined for other text. */
export function readNumber(text: string, decimal: DecimalSign): ReadNumber | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 100) return undefined;
  const given = trimmed.replaceAll(/\s+/g, ' ');
  const match = shape.exec(given);
  if (!match) return undefined;
  const [, lead = '', before, written = '', behind] = match;
  if ((lead === '(') !== given.endsWith(')')) return undefined;
  const digits = digitsOf(written.replaceAll(/[ '’]/g, ''), decimal);
  if (digits === undefined) return undefined;
  const named = before ?? (behind === '%' ? undefined : behind);
  const isNegative = lead === '-' || lead === '(';
  return {
    digits: isNegative ? `-${digits.replace(/^-/, '')}` : digits,
    currency: named === undefined ? undefined : (symbols[named] ?? named),
  };
}

function digitsOf(written: string, decimal: DecimalSign): string | undefined {
  const [point, group] = decimal === 'point' ? ['.', ','] : [',', '.'];
  const [whole = '', fraction, ...rest] = written.split(point);
  if (rest.length > 0 || (fraction ?? '').includes(group)) return undefined;
  const groups = whole.split(group);
  const areGroups =
    groups.slice(1).every((digits) => digits.length === 3) && (groups[0] ?? '').replace('-', '').length <= 3;
  if (groups.length > 1 && !areGroups) return undefined;
  const joined = groups.join('');
  if (!/^-?\d*$/.test(joined) || (joined.replace('-', '') === '' && !fraction)) return undefined;
  return fraction ? `${joined === '' || joined === '-' ? `${joined}0` : joined}.${fraction}` : joined;
}
