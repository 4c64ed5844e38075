/** Which fields a file of records has, and which of them can be set when other records are there only. */
import { fieldType } from '../../fields/registry.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { hasRecords, type Model, type ObjectDef } from '../../model/model.ts';

/** What is stored of a record, in the order in which a record shows it; what is computed of it comes back by itself. */
export function storedFields(object: ObjectDef): readonly FieldDef[] {
  return [...object.attributes.values()].filter((field) => {
    const type = fieldType(field.type);
    return type.isComputed?.(field) !== true && (type.links !== undefined || type.columns(field).length > 0);
  });
}

/** The objects whose records the field leads to; none for what is no reference to records. */
export function targetsOf(field: FieldDef): readonly string[] {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined || target === 'user') return [];
  return 'object' in target ? [target.object] : target.objects;
}

/** An object in the order in which records can be made, with the fields that are set when all records are there. */
export interface Placed {
  readonly object: ObjectDef;
  readonly later: readonly string[];
}

/** The objects with records, each behind those that it leads to, as far as they do not lead to each other. */
export function inOrder({ objects }: Model): readonly Placed[] {
  const left = new Set([...objects.values()].filter((object) => hasRecords(object) || object.kind === 'managed'));
  const placed: Placed[] = [];
  const leadsTo = (object: ObjectDef) =>
    [...left].filter(
      ({ name }) => name !== object.name && storedFields(object).some((field) => targetsOf(field).includes(name)),
    );
  while (left.size > 0) {
    const [first] = [...left].toSorted((a, b) => leadsTo(a).length - leadsTo(b).length);
    if (!first) break;
    const missing = new Set([...left].map(({ name }) => name));
    placed.push({ object: first, later: laterFields(first, missing) });
    left.delete(first);
  }
  return placed;
}

/** Fields that lead to objects that are not there yet, or to the object itself; and those that depend on such a field. */
function laterFields(object: ObjectDef, missing: ReadonlySet<string>): string[] {
  const later = new Set<string>();
  const fields = storedFields(object);
  for (const field of fields) if (targetsOf(field).some((name) => missing.has(name))) later.add(field.name);
  for (let before = -1; before < later.size;) {
    before = later.size;
    for (const { name, dependsOn } of fields) if (dependsOn !== undefined && later.has(dependsOn)) later.add(name);
  }
  return [...later];
}
