/** A filter in words: what its chips say, and the sentence that reads it back. */
import type { FilterCondition, FilterGroup } from '../../../../client/index.js';
import type { Catalogue } from '../../i18n/catalogue.ts';
import type { Formats } from '../../i18n/formats.ts';
import { valuesOf, type Kind, type Operator } from './operators.ts';
import { isGroup, isWhole, valueList, type Node } from './tree.ts';

export interface Telling {
  readonly texts: Catalogue['filters'];
  readonly formats: Pick<Formats, 'number' | 'day'>;
  /** What a field is called, and of which kind its values are. */
  field(path: string): { readonly label: string; readonly kind: Kind };
  /** What a value is called, where it is an id or an option. */
  value(path: string, value: unknown): string | undefined;
}

/** What the operator is called for values of this kind: dates are before, numbers are less. */
export function operatorWords(
  operator: Operator,
  kind: Kind,
  { operators, dateOperators }: Catalogue['filters'],
): string {
  const dates: Readonly<Partial<Record<Operator, string>>> = dateOperators;
  return (kind === 'date' ? dates[operator] : undefined) ?? operators[operator];
}

/** So many values are said by name. */
const mostSaid = 20;

/** The values of a condition. */
export function valueWords(condition: FilterCondition, telling: Telling): string {
  const { texts } = telling;
  const needed = valuesOf(condition.operator);
  if (needed === 'none') return '';
  const list = needed === 'one' ? [condition.value] : valueList(condition);
  const said = list.length > mostSaid ? list.slice(0, mostSaid - 1) : list;
  const words = said.map((value) => oneValue(condition.field, value, telling));
  if (said !== list) words.push(texts.others(list.length - said.length));
  if (needed === 'two') return words.join(` ${texts.and} `);
  return joined(words, texts.or);
}

function oneValue(path: string, value: unknown, telling: Telling): string {
  const named = telling.value(path, value);
  if (named !== undefined) return named;
  if (typeof value === 'boolean') return value ? telling.texts.yes : telling.texts.no;
  const { kind } = telling.field(path);
  if (kind === 'number' && value !== '' && Number.isFinite(Number(value))) return telling.formats.number(String(value));
  if (kind === 'date' && typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return telling.formats.day(value);
  return kind === 'text' || kind === 'entry' ? `“${String(value ?? '')}”` : String(value ?? '');
}

/** The condition as a part of a sentence. */
export function conditionWords(condition: FilterCondition, telling: Telling): string {
  const { label, kind } = telling.field(condition.field);
  const how = operatorWords(condition.operator, kind, telling.texts);
  return [label, how, valueWords(condition, telling)].filter(Boolean).join(' ');
}

/** A group or a condition as a part of a sentence; groups within groups stand in brackets. */
export function nodeWords(node: Node, telling: Telling, isInner = false): string {
  if (!isGroup(node)) return conditionWords(node, telling);
  const parts = node.conditions.filter(isWhole).map((one) => nodeWords(one, telling, true));
  const words = parts.join(` ${node.type === 'AND' ? telling.texts.and : telling.texts.or} `);
  return isInner && parts.length > 1 ? `(${words})` : words;
}

/** The whole filter as a sentence about the records. */
export function sentence(filter: FilterGroup, what: string, telling: Telling): string {
  const words = nodeWords(filter, telling);
  return words === '' ? telling.texts.allOf(what) : telling.texts.where(what, words);
}

function joined(words: readonly string[], or: string): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${or} ${words.at(-1)}`;
}
