/**
 * The SQL size of a field, a rule or a record with everything it is made of: what PostgreSQL must parse and plan. A
 * plain column is one part, about ten microseconds.
 */
import { weightOf } from '../fields/expressions/weight.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import type { FilterGroup, Model, ObjectDef } from '../model/model.ts';
import { resolveAttribute } from './attributes.ts';
import { conditionsIn } from './filter.ts';
import { splitPath } from './subject.ts';

/** Parts, and the number of look-ups per object: each repeats the rule for that object's rows. */
export interface Size {
  readonly parts: number;
  readonly looks: ReadonlyMap<string, number>;
}

export interface FieldSize extends Size {
  readonly depth: number;
  /** Nesting depth of ROLLUPs. */
  readonly sums: number;
}

/** A sub-select that aggregates; and one that looks up a row or tests for one. */
const partsOfSum = 40;
const partsOfLook = 12;

const nowhere: ReadonlyMap<string, number> = new Map();

/** A field belongs to one model. */
const known = new WeakMap<FieldDef, FieldSize>();

/** The size of a field in a filter or a sort. Fields cannot depend on themselves. */
export function sizeOfField(model: Model, object: ObjectDef, field: FieldDef): FieldSize {
  let size = known.get(field);
  if (!size) known.set(field, (size = measured(model, object, field)));
  return size;
}

function measured(model: Model, object: ObjectDef, field: FieldDef): FieldSize {
  if (field.calculation) {
    const inner: FieldSize[] = [];
    const { parts, depth } = weightOf(field.calculation.parsed, (name) => {
      const input = resolveAttribute(object, name);
      const size = input ? sizeOfField(model, object, input) : plain;
      inner.push(size);
      return size;
    });
    return { parts, depth, sums: Math.max(0, ...inner.map(({ sums }) => sums)), looks: together(inner).looks };
  }
  if (field.rollup) {
    const target = model.objects.get(field.rollup.objectName);
    const summed = target && field.rollup.field !== undefined && resolveAttribute(target, field.rollup.field);
    const inner = target && summed ? sizeOfField(model, target, summed) : { ...nothing, depth: 0, sums: 0 };
    const { parts, looks } = together([inner, look(field.rollup.objectName, partsOfSum)]);
    return { parts, looks, depth: 1 + inner.depth, sums: 1 + inner.sums };
  }
  return field.linkTable === undefined && fieldType(field.type).uniqueValues === undefined ? plain : setOfValues;
}

const nothing: Size = { parts: 0, looks: nowhere };
const plain: FieldSize = { parts: 1, looks: nowhere, depth: 1, sums: 0 };
/** MANY_TO_MANY, EMAILS and PHONES: a condition on them tests each of several values. */
const setOfValues: FieldSize = { ...plain, parts: partsOfLook };

/** Size of a field path; zero if it is unknown. */
export function sizeOfName(model: Model, object: ObjectDef, name: string): Size {
  const [first, path] = splitPath(name);
  const field = resolveAttribute(object, first);
  if (!field) return nothing;
  if (path === undefined || field.linkTable !== undefined || fieldType(field.type).within)
    return sizeOfField(model, object, field);
  const target = model.objects.get(field.relationConfig?.targetObjectName ?? '');
  const beyond = target && resolveAttribute(target, path);
  return target && beyond ? together([look(target.name, partsOfLook), sizeOfField(model, target, beyond)]) : nothing;
}

/**
 * The size of a role's rule for rows of the object. A rule sees everything, so it contains no rule of another object.
 */
export function partsOfRule(model: Model, object: ObjectDef, rule: 'all' | 'none' | FilterGroup): number {
  if (typeof rule === 'string') return 0;
  return conditionsIn(rule).reduce((sum, { field }) => sum + Math.max(1, sizeOfName(model, object, field).parts), 0);
}

/** The size of a field in a record: its columns, and the labels of the records that it leads to. */
export function sizeOfReading(model: Model, object: ObjectDef, field: FieldDef): Size {
  const { relationConfig, linkTable, junctionFields = [] } = field;
  const target = fieldType(field.type).target?.(field);
  if (target === 'user') return { parts: 1 + partsOfLook, looks: nowhere };
  const isBackwards = relationConfig?.inverseField !== undefined;
  if (!target && !isBackwards) {
    const columns = fieldType(field.type).columns(field).length;
    return columns > 0 ? { parts: columns, looks: nowhere } : sizeOfField(model, object, field);
  }
  const objects = target
    ? 'objects' in target
      ? target.objects
      : [target.object]
    : [relationConfig?.targetObjectName];
  const labels = objects.flatMap((name) => {
    const there = model.objects.get(name ?? '');
    const label = there && resolveAttribute(there, there.displayField);
    return there && label ? [look(there.name, partsOfLook), sizeOfField(model, there, label)] : [];
  });
  const links = linkTable === undefined ? 1 : partsOfLook + junctionFields.length;
  return together([...labels, { parts: links, looks: nowhere }]);
}

/** The size of a related record's field: each column is looked up separately. */
export function sizeOfReadingBeyond(model: Model, target: ObjectDef, field: FieldDef): Size {
  const columns = Math.max(1, fieldType(field.type).columns(field).length);
  const looks = Array.from({ length: columns }, () => look(target.name, partsOfLook));
  return together([...looks, sizeOfReading(model, target, field)]);
}

/** The total, where each look-up in an object's rows also costs `ruleParts`. */
export function partsUnder(size: Size, ruleParts: (objectName: string) => number): number {
  let { parts } = size;
  for (const [name, count] of size.looks) parts += count * ruleParts(name);
  return parts;
}

/** The sum of the sizes. */
export function together(sizes: readonly Size[]): Size {
  const looks = new Map<string, number>();
  for (const size of sizes) for (const [name, count] of size.looks) looks.set(name, (looks.get(name) ?? 0) + count);
  return { parts: sizes.reduce((sum, size) => sum + size.parts, 0), looks };
}

function look(objectName: string, parts: number): Size {
  return { parts, looks: new Map([[objectName, 1]]) };
}
