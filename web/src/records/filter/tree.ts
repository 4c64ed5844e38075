/** Pure functions that change a filter: groups hold conditions and groups, at any depth. */
import type { FilterCondition, FilterGroup } from '../../../../client/index.js';
import { valuesOf } from './operators.ts';

export type Node = FilterCondition | FilterGroup;
/** The position of a node: an index for each level. */
export type Path = readonly number[];

/** Whether the node is a group. */
export function isGroup(node: Node): node is FilterGroup {
  return 'conditions' in node;
}

export const emptyFilter: FilterGroup = { type: 'AND', conditions: [] };

/** Replaces the node at the path; removes it if `node` is undefined. */
export function replaced(filter: FilterGroup, [at, ...rest]: Path, node: Node | undefined): FilterGroup {
  if (at === undefined) return node && isGroup(node) ? node : filter;
  const conditions = filter.conditions.flatMap((one, index) => {
    if (index !== at) return [one];
    if (rest.length === 0) return node ? [node] : [];
    return isGroup(one) ? [replaced(one, rest, node)] : [one];
  });
  return { ...filter, conditions };
}

/** Adds a node to the group at the path. */
export function added(filter: FilterGroup, [at, ...rest]: Path, node: Node): FilterGroup {
  if (at === undefined) return { ...filter, conditions: [...filter.conditions, node] };
  const conditions = filter.conditions.map((one, index) =>
    index === at && isGroup(one) ? added(one, rest, node) : one,
  );
  return { ...filter, conditions };
}

/** The number of conditions at all depths. */
export function countOf(node: Node): number {
  return isGroup(node) ? node.conditions.reduce((sum, one) => sum + countOf(one), 0) : 1;
}

/** The condition's values as a list. */
export function valueList({ value }: FilterCondition): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === '') return [];
  // The service also takes several values separated by commas; quoted values may contain commas.
  return typeof value === 'string' ? splitValues(value) : [value];
}

function splitValues(text: string): string[] {
  return [...text.matchAll(/"((?:[^"]|"")*)"|[^,]+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole.trim() : quoted.replaceAll('""', '"'),
  );
}

/** Whether it is complete enough to be sent. */
export function isWhole(node: Node): boolean {
  if (isGroup(node)) return node.conditions.some(isWhole);
  const { operator, value } = node;
  const needed = valuesOf(operator);
  if (needed === 'none') return true;
  if (needed === 'one') return value !== undefined && value !== null && value !== '';
  const given = valueList(node).filter((one) => one !== '' && one !== null && one !== undefined);
  return given.length >= (needed === 'two' ? 2 : 1);
}

/** The filter without incomplete conditions; undefined if nothing is left. */
export function wholeOf(filter: FilterGroup): FilterGroup | undefined {
  const conditions = filter.conditions.flatMap((one): Node[] => {
    if (!isGroup(one)) return isWhole(one) ? [one] : [];
    const inner = wholeOf(one);
    return inner ? [inner] : [];
  });
  return conditions.length > 0 ? { type: filter.type, conditions } : undefined;
}

/** Changes the operator; keeps the value if the new operator takes as many values. */
export function withOperator(condition: FilterCondition, operator: FilterCondition['operator']): FilterCondition {
  const [was, now] = [valuesOf(condition.operator), valuesOf(operator)];
  const { field, value } = condition;
  if (now === 'none') return { field, operator };
  if (was === now) return { field, operator, ...(value !== undefined && { value }) };
  const list = was === 'one' && value !== undefined ? [value] : valueList(condition);
  if (now === 'one') return { field, operator, ...(list[0] !== undefined && { value: list[0] }) };
  return { field, operator, ...(list.length > 0 && { value: now === 'two' ? list.slice(0, 2) : list }) };
}
