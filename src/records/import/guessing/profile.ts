/** Profiles the values of a column. */
import type { FieldTypeName } from '../../../fields/field-def.ts';
import { isObject, type Json } from '../../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../../lib/slices.ts';
import { jsonText } from '../reading/cell.ts';
import { lookOf, type Look } from '../reading/looks-like.ts';
import { guessDates, type DateOrder } from './dates.ts';
import { guessNumbers, type DecimalSign } from './numbers.ts';
import { textsIn } from './option-labels.ts';

export interface ColumnProfile {
  readonly column: string;
  /** The field type that fits its values. */
  readonly type: FieldTypeName;
  readonly filled: number;
  readonly distinct: number;
  readonly samples: readonly string[];
  /** The possible orders of its dates, where the user must choose. */
  readonly ambiguousDates?: readonly DateOrder[];
  readonly dateOrder?: DateOrder;
  readonly decimal?: DecimalSign;
  /** Whether its values determine the decimal sign. */
  readonly isDecimalSure?: boolean;
  /** Distinct values, where they are few. */
  readonly options?: readonly string[];
  /** All distinct values with their numbers of rows, where they may be options: short texts, and not too many. */
  readonly values?: readonly (readonly [value: string, rows: number])[];
}

const mostSamples = 3;
const longestSample = 120;
/** Distinct values kept per column: enough to profile it. */
const mostDistinct = 20_000;
const mostOptions = 30;
/** Distinct values listed in a profile, and their characters in total. */
const mostListed = 500;
const longestTold = 20_000;

/** Collects the values of one column. */
export class ColumnValues {
  readonly column: string;
  filled = 0;
  readonly #values = new Map<string, number>();
  #isList = false;
  #isText = true;

  constructor(column: string) {
    this.column = column;
  }

  add(cell: Json | undefined): void {
    if (cell === undefined || cell === null || cell === '') return;
    if (Array.isArray(cell) || isObject(cell)) this.#isList = true;
    if (!isTextual(cell)) this.#isText = false;
    const text = jsonText(cell).trim();
    if (text === '') return;
    this.filled++;
    const known = this.#values.get(text);
    if (known !== undefined || this.#values.size < mostDistinct) this.#values.set(text, (known ?? 0) + 1);
  }

  /** The distinct values that were kept. */
  values(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** The values listed in the profile. */
  #listed(): ColumnProfile['values'] {
    if (!this.#isText || this.#values.size > mostListed) return undefined;
    const length = this.#values.keys().reduce((sum, value) => sum + value.length, 0);
    return length > longestTold ? undefined : [...this.#values];
  }

  async profile(): Promise<ColumnProfile> {
    const values = this.values();
    const dates = guessDates(values);
    if (sliceIsOver()) await nextSlice();
    const isWordly = dates === undefined || values.every((value) => /^\d{8}$/.test(value));
    const numbers = guessNumbers(values);
    if (sliceIsOver()) await nextSlice();
    const type = this.#isList ? 'TEXT' : typeOf(values, this.filled, isWordly ? undefined : dates, numbers);
    const orders = dates && {
      ...(dates.order === undefined ? { ambiguousDates: dates.possible } : { dateOrder: dates.order }),
    };
    const listed = this.#listed();
    return {
      column: this.column,
      type,
      filled: this.filled,
      distinct: this.#values.size,
      samples: values.slice(0, mostSamples).map((value) => value.slice(0, longestSample)),
      ...orders,
      ...(numbers && { decimal: numbers.decimal, isDecimalSure: numbers.isSure }),
      ...((type === 'SELECT' || type === 'MULTI_SELECT') && { options: optionsIn(values, type) }),
      ...(listed && { values: listed }),
    };
  }
}

/** Whether it is a text or a list of texts, which can be options. */
function isTextual(cell: Json): boolean {
  return Array.isArray(cell) ? cell.every((item) => typeof item === 'string') : typeof cell === 'string';
}

/** Applies the number notation found in some columns to the file's other columns. */
export function alikeWritten(profiles: readonly ColumnProfile[]): ColumnProfile[] {
  const decimals = new Set(
    profiles.flatMap(({ decimal, isDecimalSure }) => (isDecimalSure && decimal ? [decimal] : [])),
  );
  const [only] = decimals;
  if (only === undefined || decimals.size > 1) return [...profiles];
  return profiles.map((profile) =>
    profile.decimal && !profile.isDecimalSure ? { ...profile, decimal: only } : profile,
  );
}

const booleans: ReadonlySet<string> = new Set(
  'true false yes no y n ja nein oui non sí si sim não vrai faux wahr falsch x'.split(' '),
);

function typeOf(
  values: readonly string[],
  filled: number,
  dates: ReturnType<typeof guessDates>,
  numbers: ReturnType<typeof guessNumbers>,
): FieldTypeName {
  if (values.length === 0) return 'TEXT';
  if (values.every((value) => booleans.has(value.toLowerCase()))) return 'BOOLEAN';
  if (dates) return dates.hasTime ? 'DATETIME' : 'DATE';
  const share = (look: Look) => values.filter((value) => lookOf(value) === look).length / values.length;
  if (share('email') > 0.8) return 'EMAIL';
  if (share('url') > 0.8 || share('domain') > 0.8) return 'URL';
  if (numbers) {
    // A number with a leading zero is an id or a postal code.
    if (values.some((value) => /^0\d/.test(value))) return 'TEXT';
    if (numbers.isPercent) return 'PERCENT';
    if (numbers.hasCurrency) return 'CURRENCY';
    return numbers.isWhole ? 'INTEGER' : 'DECIMAL';
  }
  if (values.some((value) => value.includes('\n') || value.length > 250)) return 'LONG_TEXT';
  if (values.filter(isList).length > values.length / 2 && optionsIn(values, 'MULTI_SELECT').length <= mostOptions)
    return 'MULTI_SELECT';
  return filled >= 20 && values.length <= Math.min(mostOptions, filled / 4) ? 'SELECT' : 'TEXT';
}

/** Whether a field with several options reads the text as a list. */
function isList(value: string): boolean {
  const [first = value] = textsIn(value, { type: 'MULTI_SELECT', options: null });
  return first !== value;
}

function optionsIn(values: readonly string[], type: 'SELECT' | 'MULTI_SELECT'): string[] {
  if (type === 'SELECT') return values.slice(0, mostOptions);
  return [...new Set(values.flatMap((value) => textsIn(value, { type, options: null })))];
}
