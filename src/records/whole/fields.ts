/** The fields of a file of records, and which of them can be set only once other records exist. */
import { fieldType } from '../../fields/registry.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { hasRecords, type Model, type ObjectDef } from '../../model/model.ts';

/** The stored fields of a record in order; computed ones follow from them. */
export function storedFields(object: ObjectDef): readonly FieldDef[] {
  return [...object.attributes.values()].filter((field) => {
    const type = fieldType(field.type);
    return type.isComputed?.(field) !== true && (type.links !== undefined || type.columns(field).length > 0);
  });
}

/** The objects whose records the field leads to; empty for other fields. */
export function targetsOf(field: FieldDef): readonly string[] {
  const target = fieldType(field.type).target?.(field);
  if (target === undefined || target === 'user') return [];
  return 'object' in target ? [target.object] : target.objects;
}

/** An object in order of creation, with the fields that are set once all records exist. */
export interface OrderedObject {
  readonly object: ObjectDef;
  readonly later: readonly string[];
}

/** The objects with records, each after those it leads to, unless they lead to each other. */
export function inOrder({ objects }: Model): readonly OrderedObject[] {
  const left = new Set([...objects.values()].filter((object) => hasRecords(object) || object.kind === 'managed'));
  const placed: OrderedObject[] = [];
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

/** Fields that lead to objects created later, or to the object itself, and fields that depend on those. */
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
