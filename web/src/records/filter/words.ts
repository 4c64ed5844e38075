/** A filter as text: for its chips, and for the sentence that describes it. */
import type { FilterCondition, FilterGroup } from '../../../../client/index.js';
import type { Catalogue } from '../../i18n/catalogue.ts';
import type { Formats } from '../../i18n/formats.ts';
import { valuesOf, type Kind, type Operator } from './operators.ts';
import { isGroup, isWhole, valueList, type Node } from './tree.ts';

export interface FilterLabels {
  readonly texts: Catalogue['filters'];
  readonly formats: Pick<Formats, 'number' | 'day'>;
  /** The label of a field, and the kind of its values. */
  field(path: string): { readonly label: string; readonly kind: Kind };
  /** The label of a value that is an id or an option. */
  value(path: string, value: unknown): string | undefined;
}

/** The operator as text for values of this kind: dates are "before", numbers "less than". */
export function operatorWords(
  operator: Operator,
  kind: Kind,
  { operators, dateOperators }: Catalogue['filters'],
): string {
  const dates: Readonly<Partial<Record<Operator, string>>> = dateOperators;
  return (kind === 'date' ? dates[operator] : undefined) ?? operators[operator];
}

/** Most values that are listed by name. */
const mostSaid = 20;

/** The values of a condition as text. */
export function valueWords(condition: FilterCondition, filterLabels: FilterLabels): string {
  const { texts } = filterLabels;
  const needed = valuesOf(condition.operator);
  if (needed === 'none') return '';
  const list = needed === 'one' ? [condition.value] : valueList(condition);
  const said = list.length > mostSaid ? list.slice(0, mostSaid - 1) : list;
  const words = said.map((value) => oneValue(condition.field, value, filterLabels));
  if (said !== list) words.push(texts.others(list.length - said.length));
  if (needed === 'two') return words.join(` ${texts.and} `);
  return joined(words, texts.or);
}

function oneValue(path: string, value: unknown, filterLabels: FilterLabels): string {
  const named = filterLabels.value(path, value);
  if (named !== undefined) return named;
  if (typeof value === 'boolean') return value ? filterLabels.texts.yes : filterLabels.texts.no;
  const { kind } = filterLabels.field(path);
  if (kind === 'number' && value !== '' && Number.isFinite(Number(value)))
    return filterLabels.formats.number(String(value));
  if (kind === 'date' && typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value))
    return filterLabels.formats.day(value);
  return kind === 'text' || kind === 'entry' ? `“${String(value ?? '')}”` : String(value ?? '');
}

/** A condition as part of a sentence. */
function conditionWords(condition: FilterCondition, filterLabels: FilterLabels): string {
  const { label, kind } = filterLabels.field(condition.field);
  const how = operatorWords(condition.operator, kind, filterLabels.texts);
  return [label, how, valueWords(condition, filterLabels)].filter(Boolean).join(' ');
}

/** A node as part of a sentence; inner groups are in brackets. */
export function nodeWords(node: Node, filterLabels: FilterLabels, isInner = false): string {
  if (!isGroup(node)) return conditionWords(node, filterLabels);
  const parts = node.conditions.filter(isWhole).map((one) => nodeWords(one, filterLabels, true));
  const words = parts.join(` ${node.type === 'AND' ? filterLabels.texts.and : filterLabels.texts.or} `);
  return isInner && parts.length > 1 ? `(${words})` : words;
}

/** The filter as a sentence about the records. */
export function sentence(filter: FilterGroup, what: string, filterLabels: FilterLabels): string {
  const words = nodeWords(filter, filterLabels);
  return words === '' ? filterLabels.texts.allOf(what) : filterLabels.texts.where(what, words);
}

function joined(words: readonly string[], or: string): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${or} ${words.at(-1)}`;
}
