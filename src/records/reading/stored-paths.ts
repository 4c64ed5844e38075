/**
 * Stores the field paths of charts and views by id, so that they survive renames, and a field that takes over an old
 * name is not confused with it.
 */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isUuid } from '../../lib/id.ts';
import type { FilterCondition, FilterGroup, Model, ObjectDef } from '../../model/model.ts';
import type { Visibility } from '../../query/context.ts';
import { relatedObject } from '../../query/row-scope.ts';

/** Separates the parts of a stored path; ids of parts of a field contain a dot. */
const separator = '/';

/** Columns of every record, which cannot be renamed: they are stored by name. */
const sameEverywhere: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** Converts names to ids; names that are no fields, such as parts of a value, stay. */
export function storedPath(model: Model, object: ObjectDef, path: string): string {
  let scope: PathScope | undefined = { object, fields: fieldsOf(object) };
  return path
    .split('.')
    .map((name) => {
      const field: FieldDef | undefined = scope?.fields.find((candidate) => candidate.name === name);
      scope = field && scopeBehind(model, field);
      return field && !sameEverywhere.has(name) ? field.id : name;
    })
    .join(separator);
}

/** Converts ids to current names; undefined where a part is gone, or hidden from the caller. */
export function shownPath({ model, visibility }: Call, object: ObjectDef, stored: string): string | undefined {
  let scope: PathScope | undefined = { object, fields: fieldsOf(object) };
  const names: string[] = [];
  for (const part of stored.split(separator)) {
    const field: FieldDef | undefined = scope?.fields.find(({ id, name }) => id === part || name === part);
    if (!field && isUuid(part.slice(0, 36))) return undefined;
    const owner: ObjectDef | undefined = scope?.object;
    if (field && owner && isHidden(visibility, owner, field)) return undefined;
    names.push(field?.name ?? part);
    scope = field && scopeBehind(model, field);
  }
  return names.join('.');
}

/** A junction field is as visible as its link. */
function isHidden(visibility: Visibility, owner: ObjectDef, field: FieldDef): boolean {
  if (!fieldsOf(owner).includes(field)) return false;
  return visibility.rows(owner.name) === 'none' || !visibility.shows(owner.name, field.name);
}

/**
 * The filter with paths converted by `rename`, without conditions whose path has no result and without empty groups;
 * undefined where nothing remains.
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

/** The filter with paths converted by `rename`; undefined where one has no result. */
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

/** Where the next part of a path is looked up: fields of an object, after those of the links that lead there. */
interface PathScope {
  readonly object: ObjectDef | undefined;
  readonly fields: readonly FieldDef[];
}

function fieldsOf(object: ObjectDef): readonly FieldDef[] {
  return [...object.attributes.values(), ...object.fields];
}

function scopeBehind(model: Model, field: FieldDef): PathScope {
  const object = relatedObject(model, field);
  return { object, fields: [...(field.junctionFields ?? []), ...(object ? fieldsOf(object) : [])] };
}
