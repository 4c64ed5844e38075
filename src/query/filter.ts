/**
 * Parses a FilterGroup: its shape is checked here, its meaning in `where.ts`. [spec: FilterGroup and FilterCondition]
 */
import { errors, quoted, type KithError } from '../errors.ts';
import { operatorNames, otherOperatorNames, valueless, type OperatorName } from '../fields/operators/operator.ts';
import { Digits, isObject, parseJson, tooLong, unstorable, type Json, type JsonObject } from '../lib/json.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { FilterCondition, FilterGroup } from '../model/model.ts';

const maxGroups = 20;
const maxConditions = 500;
const maxListLength = 10_000;

const example = '{ "type": "AND", "conditions": [{ "field": "name", "operator": "equals", "value": "Acme" }] }';

/** Parses a group, or a bare condition as a group of one. Throws VALIDATION_ERROR that names the place. */
export function parseFilterGroup(value: Json, place = 'filters'): FilterGroup {
  const count = { conditions: 0 };
  const parsed = parsePart(value, place, 1, count);
  return 'conditions' in parsed ? parsed : { type: 'AND', conditions: [parsed] };
}

/** The conditions of a group and of its inner groups, in order. */
export function conditionsIn({ conditions }: FilterGroup): FilterCondition[] {
  return conditions.flatMap((part) => ('conditions' in part ? conditionsIn(part) : [part]));
}

/** Parses the JSON text of a query parameter. */
export function parseFilterText(text: string, place = 'filters'): FilterGroup {
  const problem = tooLong(text);
  if (problem !== undefined) throw errors.validation(`${place} as text ${problem}; send an object`);
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw errors.validation(`${place} is not valid JSON, such as ${example}`);
  }
  return parseFilterGroup(value, place);
}

/** `filter_field`, `filter_operator`, `filter_value` as a group of one; undefined when there is no field. */
export function simpleFilter(request: {
  readonly filter_field?: string | undefined;
  readonly filter_operator?: string | undefined;
  readonly filter_value?: Json | undefined;
}): FilterGroup | undefined {
  const { filter_field: field, filter_operator: operator, filter_value: value } = request;
  if (field === undefined) {
    if (operator === undefined && value === undefined) return undefined;
    throw errors.missingField('filter_field', 'it names what filter_operator and filter_value are about');
  }
  if (operator === undefined) throw errors.missingField('filter_operator', `one of ${operatorNames.join(', ')}`);
  const known = operatorOf(operator, 'filter_operator');
  if (valueless.has(known)) return { type: 'AND', conditions: [{ field, operator: known }] };
  if (value === undefined) throw errors.missingField('filter_value', `${known} compares with it`);
  return { type: 'AND', conditions: [{ field, operator: known, value: valueOf(value, 'filter_value') }] };
}

function parsePart(
  value: Json,
  place: string,
  depth: number,
  count: { conditions: number },
): FilterGroup | FilterCondition {
  if (!isObject(value)) throw errors.validation(`${place} must be an object such as ${example}`);
  if (!('conditions' in value || 'type' in value)) return parseCondition(value, place, count);
  if (depth > maxGroups) throw errors.validation(`${place}: groups may be nested ${maxGroups} deep at most`);
  refuseUnknownKeys(value, ['type', 'conditions'], place);
  const { type, conditions } = value;
  if (type !== 'AND' && type !== 'OR')
    throw errors.validation(`${place}.type must be AND or OR${insteadOf(type)}`, undefined, ['AND', 'OR']);
  if (!Array.isArray(conditions)) throw errors.validation(`${place}.conditions must be an array`);
  const parts = conditions.map((part, index) => parsePart(part, `${place}.conditions[${index}]`, depth + 1, count));
  return { type, conditions: parts };
}

function parseCondition(value: JsonObject, place: string, count: { conditions: number }): FilterCondition {
  if (++count.conditions > maxConditions)
    throw errors.validation(`${place}: at most ${maxConditions} conditions are taken`);
  refuseUnknownKeys(value, ['field', 'operator', 'value'], place);
  const { field } = value;
  if (typeof field !== 'string' || field === '') throw errors.validation(`${place}.field must be the name of a field`);
  const operator = operatorOf(value['operator'], `${place}.operator`);
  if (valueless.has(operator)) return { field, operator };
  if (value['value'] === undefined) throw errors.validation(`${place}.value is required: ${operator} compares with it`);
  return { field, operator, value: valueOf(value['value'], `${place}.value`) };
}

function operatorOf(value: Json | undefined, place: string): OperatorName {
  const known = operatorNames.find((name) => name === value);
  if (known) return known;
  const shape = `${place} must be one of the filter operators`;
  if (typeof value !== 'string') throw errors.validation(shape, undefined, operatorNames);
  const hint = didYouMean(otherOperatorNames.get(value.toLowerCase()) ?? value, operatorNames);
  throw errors.validation(`${shape}, not ${quoted(value)}${hint}`, undefined, operatorNames);
}

/** One value, or a list for `in` and similar operators. */
function valueOf(value: Json, place: string): Json {
  const values = Array.isArray(value) ? value : [value];
  if (values.length > maxListLength) throw errors.validation(`${place}: at most ${maxListLength} values are taken`);
  if (!values.every(isScalar))
    throw errors.validation(`${place} must be text, a number, true, false, null or a list of them`);
  const problem = unstorable(value);
  if (problem) throw errors.validation(`${place} ${problem}`);
  return value;
}

function insteadOf(value: Json | undefined): string {
  return typeof value === 'string' ? `, not ${quoted(value)}${didYouMean(value, ['AND', 'OR'])}` : '';
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object' || value instanceof Digits;
}

function refuseUnknownKeys(value: JsonObject, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw unknownKey(unknown, known, place);
}

/** Names of the keys in other services. */
const otherKeys: ReadonlyMap<string, string> = new Map([
  ['op', 'operator'],
  ['comparator', 'operator'],
  ['propertyname', 'field'],
  ['property', 'field'],
  ['attribute', 'field'],
  ['column', 'field'],
  ['name', 'field'],
  ['key', 'field'],
  ['values', 'value'],
  ['filters', 'conditions'],
  ['rules', 'conditions'],
  ['logic', 'type'],
  ['conjunction', 'type'],
]);

function unknownKey(key: string, known: readonly string[], place: string): KithError {
  const hint = didYouMean(otherKeys.get(key.toLowerCase()) ?? key, known) || `; a filter is ${example}`;
  return errors.validation(`${place} has an unknown key ${quoted(key)}${hint}`, undefined, known);
}
