/** Lists that show records in another form than the object's own. [spec: Tasks, Notes] */
import type { FieldDef } from '../fields/field-def.ts';
import type { Reading } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type { ObjectDef } from '../model/model.ts';
import type { QueryContext } from './context.ts';
import type { Shown } from './paging.ts';
import { alias } from './plan.ts';
import { readScope } from './read-scope.ts';
import { selectionOf } from './selection.ts';

/** The visible ones of the named fields, in order, each transformed by `form`, followed by the readings in `further`. */
export function shownAs(
  context: QueryContext,
  object: ObjectDef,
  names: readonly string[],
  form: (reading: Reading, field: FieldDef) => Reading,
  further: readonly Reading[] = [],
): Shown {
  const scope = readScope(context, object, alias);
  const readings = names.flatMap((name): Reading[] => {
    const field = object.attributes.get(name);
    if (!field || !context.visibility.shows(object.name, name)) return [];
    return [form(fieldType(field.type).read(field, scope), field)];
  });
  return selectionOf([...readings, ...further]);
}

/**
 * The stored part of a reading: an id without its label. Stored columns come first, and the first member reads them.
 */
export function asStored(reading: Reading, field: FieldDef): Reading {
  const stored = fieldType(field.type).columns(field).length;
  if (stored === 0) return reading;
  return { ...reading, columns: reading.columns.slice(0, stored), members: reading.members.slice(0, 1) };
}
