/** Finds records to choose from, by typed text. */
import { kith } from '../../api/kith.ts';
import { nameOf } from '../../api/record-name.ts';
import type { Field, Workspace } from '../../api/workspace.ts';
import { textIn } from '../shapes.ts';
import type { Choice } from './choices.tsx';

export const mostShown = 20;

interface Limit {
  readonly field: string;
  readonly value: string;
}

/**
 * The filter of a dependent field: records that refer to the parent's record, by the relation with the parent's name, else by the
 * first one to its object.
 */
export function parentLimits(
  field: Field,
  record: Readonly<Record<string, unknown>>,
  { objects }: Pick<Workspace, 'objects'>,
): Limit[] {
  const { dependsOn, relationConfig } = field;
  const parentId = dependsOn === undefined ? undefined : textIn(record[dependsOn]);
  if (dependsOn === undefined || parentId === undefined) return [];
  const isParent = (one: Field) => one.name === dependsOn;
  const own = [...objects.values()].find(({ fields }) => fields.includes(field));
  const above = own?.fields.find(isParent)?.relationConfig?.targetObjectName;
  const leading = (objects.get(relationConfig?.targetObjectName ?? '')?.fields ?? []).filter(
    ({ relationConfig: to }) => to?.relationType === 'BELONGS_TO_ONE' && to.targetObjectName === above,
  );
  const link = leading.find(isParent) ?? leading[0];
  return link ? [{ field: link.name, value: parentId }] : [];
}

/** Records to choose from, of all target objects of the field. */
export async function choicesOf(
  config: Field['relationConfig'],
  wanted: string,
  limits: readonly Limit[],
  { objects, reader }: Pick<Workspace, 'objects' | 'reader'>,
) {
  const { targetObjectName = '', targetObjectNames } = config ?? {};
  const names = (targetObjectNames ?? [targetObjectName]).filter((name) => objects.has(name));
  const filters = limits.map((limit) => ({ field: limit.field, operator: 'equals' as const, value: limit.value }));
  const pages = await Promise.all(
    names.map(async (object) => {
      const answer = await kith.records.list(object, {
        limit: mostShown,
        ...(wanted !== '' && { search: wanted }),
        ...(filters.length > 0 && { filters: { type: 'AND' as const, conditions: filters } }),
      });
      const found = answer.data.map((one): Choice => ({
        id: `${object}:${one.id}`,
        label: nameOf(one, reader.displayFields[object]),
        ...(names.length > 1 && { detail: objects.get(object)?.labelSingular ?? object }),
      }));
      return { found, more: answer.total - found.length };
    }),
  );
  return { found: pages.flatMap(({ found }) => found), more: pages.reduce((sum, { more }) => sum + more, 0) };
}

/** The id of the record of a choice. */
export function recordIn({ id }: Pick<Choice, 'id'>): string {
  return id.slice(id.indexOf(':') + 1);
}
