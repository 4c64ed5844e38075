/** What the values of a column are, told by all of them. */
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
  /** The type of field that would hold its values. */
  readonly type: FieldTypeName;
  readonly filled: number;
  readonly distinct: number;
  readonly samples: readonly string[];
  /** Orders in which all of its dates can be read, where somebody has to say which one is meant. */
  readonly ambiguousDates?: readonly DateOrder[];
  readonly dateOrder?: DateOrder;
  readonly decimal?: DecimalSign;
  /** Whether its values tell how their numbers are written. */
  readonly isDecimalSure?: boolean;
  /** Different values, where they are few. */
  readonly options?: readonly string[];
  /** All different values, each with the rows that have it, where they may be options: short texts, and not too many. */
  readonly values?: readonly (readonly [value: string, rows: number])[];
}

const mostSamples = 3;
const longestSample = 120;
/** Different values that are kept of a column: enough to tell what it is. */
const mostDistinct = 20_000;
const mostOptions = 30;
/** Different values that are told one by one, and the characters of all of them. */
const mostTold = 500;
const longestTold = 20_000;

/** Gathers the values of one column. */
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

  /** Every different value, as far as they were kept. */
  values(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** As the profile tells them. */
  #told(): ColumnProfile['values'] {
    if (!this.#isText || this.#values.size > mostTold) return undefined;
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
    const told = this.#told();
    return {
      column: this.column,
      type,
      filled: this.filled,
      distinct: this.#values.size,
      samples: values.slice(0, mostSamples).map((value) => value.slice(0, longestSample)),
      ...orders,
      ...(numbers && { decimal: numbers.decimal, isDecimalSure: numbers.isSure }),
      ...((type === 'SELECT' || type === 'MULTI_SELECT') && { options: optionsIn(values, type) }),
      ...(told && { values: told }),
    };
  }
}

/** A text, or a list of texts: what the options of a field can be. */
function isTextual(cell: Json): boolean {
  return Array.isArray(cell) ? cell.every((item) => typeof item === 'string') : typeof cell === 'string';
}

/** Profiles of one file: where some columns tell how numbers are written, the others are written so, too. */
export function alikeWritten(profiles: readonly ColumnProfile[]): ColumnProfile[] {
  const told = new Set(profiles.flatMap(({ decimal, isDecimalSure }) => (isDecimalSure && decimal ? [decimal] : [])));
  const [only] = told;
  if (only === undefined || told.size > 1) return [...profiles];
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
    // An id or a postal code that begins with a zero is none that anybody adds up.
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

/** Whether a field of several options reads something else than the text itself. */
function isList(value: string): boolean {
  const [first = value] = textsIn(value, { type: 'MULTI_SELECT', options: null });
  return first !== value;
}

function optionsIn(values: readonly string[], type: 'SELECT' | 'MULTI_SELECT'): string[] {
  if (type === 'SELECT') return values.slice(0, mostOptions);
  return [...new Set(values.flatMap((value) => textsIn(value, { type, options: null })))];
}
