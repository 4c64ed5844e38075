/** Makes the values of a record from a row's cells by the mapping. */
import { isEmptyValue } from '../../../fields/empty-value.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import type { PipelineStepDef } from '../../../fields/field-type.ts';
import { findable, namelessContact, namesPeople } from '../nameless-contact.ts';
import { Digits, isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import type { ObjectDef } from '../../../model/model.ts';
import { isNoDate, readDate } from '../guessing/dates.ts';
import { readNumber } from '../guessing/numbers.ts';
import { jsonText } from '../reading/cell.ts';
import { leftOutBy, type Source } from '../sources/source.ts';
import { stepMeant } from './closed-steps.ts';
import { isSet, pathOf, type ColumnPlan } from './entry.ts';
import { isNumeric } from './propose.ts';
import { splitName } from './full-name.ts';

/** The values for the engine; or why the row is left out; or why it is invalid. */
export type MadeRow = { readonly values: JsonObject } | { readonly leftOut: string } | { readonly problem: string };

interface PlacedColumn extends ColumnPlan {
  readonly at: number;
  /** The index of the column with the labels of a set's values. */
  readonly labelAt?: number;
}

/** Makes the rows of one file. */
export class RowMaker {
  readonly #object: ObjectDef;
  readonly #byField = new Map<FieldDef, PlacedColumn[]>();
  readonly #names: PlacedColumn | undefined;
  readonly #columns: readonly string[];
  readonly #source: Source | undefined;
  readonly #defaults: JsonObject;
  readonly #steps: readonly PipelineStepDef[];

  constructor(
    object: ObjectDef,
    columns: readonly string[],
    plans: readonly ColumnPlan[],
    source: Source | undefined,
    defaults: JsonObject = {},
    steps: readonly PipelineStepDef[] = [],
  ) {
    this.#object = object;
    this.#columns = columns;
    this.#source = source;
    this.#defaults = defaults;
    this.#steps = steps;
    const placed = plans.flatMap((plan): PlacedColumn[] => {
      const at = columns.indexOf(plan.column);
      return at < 0 ? [] : [{ ...plan, at }];
    });
    this.#names = placed.find(({ target }) => target.isFullName);
    for (const plan of placed.toSorted((a, b) => a.at - b.at)) {
      if (plan.target.isFullName || (isSet(plan.target.field) && plan.target.part === 'label')) continue;
      const labelAt = labelBeside(plan, placed);
      const { field } = plan.target;
      const known = this.#byField.get(field) ?? [];
      this.#byField.set(field, [...known, { ...plan, ...(labelAt !== undefined && { labelAt }) }]);
    }
  }

  make(cells: readonly Json[]): MadeRow {
    const leftOut = leftOutBy(this.#source, this.#columns, cells);
    if (leftOut !== undefined) return { leftOut };
    const values: JsonObject = {};
    for (const [field, columns] of this.#byField) {
      const value = this.#valueOf(field, columns, cells);
      if (!isEmptyValue(value)) values[field.name] = value;
    }
    this.#addNames(values, cells);
    for (const [name, value] of Object.entries(this.#defaults)) if (isEmptyValue(values[name])) values[name] = value;
    if (namesPeople(this.#object) && findable.every((field) => isEmptyValue(values[field])))
      return { problem: namelessContact };
    return { values };
  }

  #addNames(values: JsonObject, cells: readonly Json[]): void {
    if (!this.#names || values['first_name'] !== undefined || values['last_name'] !== undefined) return;
    const text = this.#cleaned(this.#names, cells);
    const { first, last } = splitName(typeof text === 'string' ? text : jsonText(text));
    if (first !== '') values['first_name'] = first;
    if (last !== '') values['last_name'] = last;
  }

  #cleaned(column: PlacedColumn, cells: readonly Json[], at = column.at, path = pathOf(column)): Json {
    const given = cells[at] ?? null;
    const isId = column.lookup?.by !== undefined || column.target.field.name === this.#source?.idField?.name;
    const cell = isId ? withIdsAsTexts(given) : given;
    if (typeof cell !== 'string') return cell;
    return (this.#source?.clean?.(path, cell) ?? cell).trim();
  }

  #valueOf(field: FieldDef, columns: readonly PlacedColumn[], cells: readonly Json[]): Json {
    if (isSet(field)) return this.#setOf(field, columns, cells);
    const given = columns.map((column) => ({ column, value: this.#cleaned(column, cells) }));
    if (columns.some(({ target }) => target.part !== undefined && field.type === 'ADDRESS')) return addressOf(given);
    if (field.type === 'CURRENCY') return amountOf(given);
    const filled = given.filter(({ value }) => !isEmptyValue(value));
    const [first] = filled;
    if (!first) return null;
    if (filled.length > 1 && filled.every(({ value }) => typeof value === 'string')) {
      const texts = filled.map(({ value }) => jsonText(value));
      if (field.type === 'TEXT') return texts.join(' ');
      if (field.type === 'LONG_TEXT' || field.type === 'RICH_TEXT') return texts.join('\n');
      if (field.type === 'MULTI_SELECT' || field.type === 'MANY_TO_MANY') return texts.join('; ');
    }
    if (typeof first.value !== 'string') return first.value;
    const isStep = field.type === 'PIPELINE' || field.type === 'PIPELINE_STEP_ID';
    return isStep ? stepMeant(first.value, this.#steps) : asWritten(field, first.value, first.column);
  }

  #setOf(field: FieldDef, columns: readonly PlacedColumn[], cells: readonly Json[]): Json {
    const key = field.type === 'EMAILS' ? 'email' : 'phone';
    const [only] = columns;
    const alone = only && columns.length === 1 ? this.#cleaned(only, cells) : undefined;
    if (alone !== undefined && typeof alone !== 'string' && !isLabelled(alone)) return alone;
    const items = new Map<string, Json>();
    for (const column of columns) {
      const value = this.#cleaned(column, cells);
      const beside =
        column.labelAt === undefined ? undefined : this.#cleaned(column, cells, column.labelAt, `${field.name}.label`);
      const label = column.target.label ?? (typeof beside === 'string' && beside !== '' ? beside : undefined);
      for (const item of itemsOf(value, field)) {
        const text =
          typeof item === 'string' ? item : jsonText(isObject(item) ? (item['value'] ?? item[key] ?? null) : item);
        const own = isObject(item) && typeof item['label'] === 'string' ? item['label'] : label;
        const identity = text.toLowerCase().replaceAll(/[\s()./-]/g, '');
        if (identity === '' || items.has(identity)) continue;
        items.set(identity, own === undefined ? text : { [key]: text, label: own.slice(0, 100) });
      }
    }
    return items.size === 0 ? null : [...items.values()];
  }
}

/** An id written as a JSON number becomes the text of its digits. */
function withIdsAsTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map(withIdsAsTexts);
  return typeof value === 'number' || value instanceof Digits ? jsonText(value) : value;
}

/** A column of labels belongs to the following column of values, or to the preceding one if none follows. */
function labelBeside(plan: PlacedColumn, all: readonly PlacedColumn[]): number | undefined {
  const { field } = plan.target;
  if (!isSet(field)) return undefined;
  const labels = all.filter(({ target }) => target.field === field && target.part === 'label').map(({ at }) => at);
  return labels.find((at) => at === plan.at - 1) ?? labels.find((at) => at === plan.at + 1);
}

/** A value of a card keeps its label. */
function isLabelled(value: Json): boolean {
  return Array.isArray(value) && value.some((item) => isObject(item) && 'value' in item);
}

function itemsOf(value: Json, field: FieldDef): readonly Json[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  const between = field.type === 'EMAILS' ? /:::|[;,\n]/ : /:::|[;\n]/;
  // Trimmed afterwards: matching white space beside each separator would rescan long runs of it.
  return value
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function inOneLine(text: string): string {
  if (!text.includes('\n')) return text;
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ');
}

type GivenCells = readonly { readonly column: PlacedColumn; readonly value: Json }[];

function addressOf(given: GivenCells): Json {
  const parts: JsonObject = {};
  for (const { column, value } of given) {
    const text = jsonText(value);
    const part = column.target.part ?? 'formatted';
    if (text !== '' && parts[part] === undefined) parts[part] = text;
  }
  const street = parts['street'];
  if (typeof street === 'string') parts['street'] = inOneLine(street);
  return Object.keys(parts).length === 0 ? null : parts;
}

function amountOf(given: GivenCells): Json {
  const amount = given.find(({ column, value }) => column.target.part === undefined && !isEmptyValue(value));
  if (!amount) return null;
  if (typeof amount.value !== 'string' && (typeof amount.value !== 'number' || given.length === 1)) return amount.value;
  const text = jsonText(amount.value);
  const read = readNumber(text, amount.column.decimal ?? 'point');
  const code = given.find(({ column }) => column.target.part === 'currency')?.value;
  const currency = read?.currency ?? (typeof code === 'string' ? code.toUpperCase() : '');
  return read ? `${read.digits} ${currency}`.trim() : text;
}

const yes: ReadonlySet<string> = new Set('true yes y 1 ja oui sí si sim vrai wahr x on'.split(' '));
const no: ReadonlySet<string> = new Set('false no n 0 nein non não faux falsch off'.split(' '));

/** The text in Kith's own notation; unchanged if it does not fit the type. */
function asWritten(field: FieldDef, text: string, { dateOrder = 'YMD', decimal = 'point' }: ColumnPlan): string {
  if (field.type === 'DATE' || field.type === 'DATETIME') {
    if (isNoDate(text)) return '';
    return readDate(text, dateOrder) ?? text;
  }
  // Whole numbers have no fraction, so the points separate thousands.
  if (field.type === 'INTEGER' && /^-?\d{1,3}(?:\.\d{3})+$/.test(text)) return text.replaceAll('.', '');
  if (isNumeric(field)) return readNumber(text, decimal)?.digits ?? text;
  if (field.type !== 'BOOLEAN') return text;
  const word = text.toLowerCase();
  return yes.has(word) ? 'true' : no.has(word) ? 'false' : text;
}
