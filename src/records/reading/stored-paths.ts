/**
 * What a chart or a view names, as it is stored: fields by their ids, so that a renamed one stays what it is and another one that gets its
 * name does not take its place.
 */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isUuid } from '../../lib/id.ts';
import type { FilterCondition, FilterGroup, Model, ObjectDef } from '../../model/model.ts';
import type { Visibility } from '../../query/context.ts';
import { relatedObject } from '../../query/row-scope.ts';

/** Between the parts of a stored path: ids of parts of a field have a dot themselves. */
const separator = '/';

/** Columns of every record, which nobody renames: their ids mean nothing. */
const sameEverywhere: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** The path with ids in place of names; what names no field, such as a part of a value, stays as it is. */
export function storedPath(model: Model, object: ObjectDef, path: string): string {
  let place: Place | undefined = { object, fields: fieldsOf(object) };
  return path
    .split('.')
    .map((name) => {
      const field: FieldDef | undefined = place?.fields.find((candidate) => candidate.name === name);
      place = field && placeBehind(model, field);
      return field && !sameEverywhere.has(name) ? field.id : name;
    })
    .join(separator);
}

/** The path by the names of today; undefined where a part of it is gone, or hidden from the caller. */
export function shownPath({ model, visibility }: Call, object: ObjectDef, stored: string): string | undefined {
  let place: Place | undefined = { object, fields: fieldsOf(object) };
  const names: string[] = [];
  for (const part of stored.split(separator)) {
    const field: FieldDef | undefined = place?.fields.find(({ id, name }) => id === part || name === part);
    if (!field && isUuid(part.slice(0, 36))) return undefined;
    const owner: ObjectDef | undefined = place?.object;
    if (field && owner && isHidden(visibility, owner, field)) return undefined;
    names.push(field?.name ?? part);
    place = field && placeBehind(model, field);
  }
  return names.join('.');
}

/** What a link itself carries is as visible as the link. */
function isHidden(visibility: Visibility, owner: ObjectDef, field: FieldDef): boolean {
  if (!fieldsOf(owner).includes(field)) return false;
  return visibility.rows(owner.name) === 'none' || !visibility.shows(owner.name, field.name);
}

/**
 * The filter with the paths that `rename` makes of its own, without the conditions of which it makes none, and without groups that
 * would be empty then; undefined where nothing is left.
 */
export function keptFilter(
  group: FilterGroup,
  rename: (condition: FilterCondition) => string | undefined,
): FilterGroup | undefined {
  const conditions = group.conditions.flatMap((part): readonly (FilterGroup | FilterCondition)[] => {
    if ('conditions' in part) return part.conditions.length === 0 ? [part] : [keptFilter(part, rename) ?? []].flat();
    const field = rename(part);
    return field === undefined ? [] : [{ ...part, field }];
  });
  return conditions.length === 0 && group.conditions.length > 0 ? undefined : { type: group.type, conditions };
}

/** The filter with the paths that `rename` makes of its own; undefined where it makes none of one of them. */
export function renamedFilter(
  group: FilterGroup,
  rename: (path: string) => string | undefined,
): FilterGroup | undefined {
  const conditions: FilterGroup['conditions'][number][] = [];
  for (const part of group.conditions) {
    if ('conditions' in part) {
      const inner = renamedFilter(part, rename);
      if (inner === undefined) return undefined;
      conditions.push(inner);
    } else {
      const field = rename(part.field);
      if (field === undefined) return undefined;
      conditions.push({ ...part, field });
    }
  }
  return { type: group.type, conditions };
}

/** Where a part of a path is looked up: fields of an object, and before them those of the links that lead there. */
interface Place {
  readonly object: ObjectDef | undefined;
  readonly fields: readonly FieldDef[];
}

function fieldsOf(object: ObjectDef): readonly FieldDef[] {
  return [...object.attributes.values(), ...object.fields];
}

function placeBehind(model: Model, field: FieldDef): Place {
  const object = relatedObject(model, field);
  return { object, fields: [...(field.junctionFields ?? []), ...(object ? fieldsOf(object) : [])] };
}
