/** The sources of a derived field: hiding a source hides the field. */
import { inputs } from '../fields/expressions/tree.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import type { Model, ObjectDef } from '../model/model.ts';

/** A field by name, whether it exists or not. */
export interface FieldPlace {
  readonly objectName: string;
  readonly fieldName: string;
}

/**
 * The direct sources of a field: the inputs of a computed one, the relation that a HAS_MANY or ROLLUP follows
 * backwards, the field that a column belongs to, and the field from which the service derives another (a note's
 * title).
 */
export function sourcesOf(model: Model, place: FieldPlace): readonly FieldPlace[] {
  const { objectName } = place;
  const whole = wholeOf(model, place);
  const { calculation, rollup, relationConfig } = fieldAt(model.objects.get(objectName), place.fieldName) ?? {};
  const sources: FieldPlace[] = whole ? [whole] : [];
  const origin = made.get(`${objectName}.${place.fieldName}`);
  if (origin !== undefined && model.objects.get(objectName)?.kind === 'managed')
    sources.push({ objectName, fieldName: origin });
  if (calculation) sources.push(...inputs(calculation.parsed).map((fieldName) => ({ objectName, fieldName })));
  if (rollup) {
    sources.push({ objectName: rollup.objectName, fieldName: rollup.relationField });
    if (rollup.field !== undefined) sources.push({ objectName: rollup.objectName, fieldName: rollup.field });
  }
  if (relationConfig?.inverseField !== undefined) {
    sources.push({ objectName: relationConfig.targetObjectName, fieldName: relationConfig.inverseField });
  }
  return sources;
}

/** Fields of managed objects that the service derives from another field. [spec: Note, Task] */
const made: ReadonlyMap<string, string> = new Map([
  ['notes.title', 'content'],
  ['tasks.due_all_day', 'due_date'],
]);

/** Whether a field depends on other records (ROLLUP, HAS_MANY), directly or through its sources. */
export function leansOnOthers(model: Model, object: ObjectDef, name: string): boolean {
  const seen = new Set<string>();
  const leans = (fieldName: string): boolean => {
    if (seen.has(fieldName)) return false;
    seen.add(fieldName);
    const { rollup, relationConfig } = fieldAt(object, fieldName) ?? {};
    if (rollup || relationConfig?.inverseField !== undefined) return true;
    return sourcesOf(model, { objectName: object.name, fieldName }).some((source) => leans(source.fieldName));
  };
  return leans(name);
}

/** The field that a column is part of (PIPELINE). */
export function wholeOf(model: Model, { objectName, fieldName }: FieldPlace): FieldPlace | undefined {
  const isWhole = (field: FieldDef) =>
    fieldType(field.type)
      .parts?.(field)
      .some((part) => part.name === fieldName);
  const whole = model.objects.get(objectName)?.fields.find(isWhole);
  return whole && { objectName, fieldName: whole.name };
}

function fieldAt(object: ObjectDef | undefined, name: string): FieldDef | undefined {
  return object?.attributes.get(name) ?? object?.fields.find((field) => field.name === name);
}
