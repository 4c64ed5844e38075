/** What a field is made of: who may not see a source may not see it either. */
import { inputs } from '../fields/expressions/tree.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { fieldType } from '../fields/registry.ts';
import type { Model, ObjectDef } from '../model/model.ts';

/** A field by names, whether there is such a one or not. */
export interface FieldPlace {
  readonly objectName: string;
  readonly fieldName: string;
}

/**
 * The direct sources of a field: the inputs of a computed one, the relation that a HAS_MANY or a ROLLUP looks back along,
 * for a column the field that it is part of, and what the service makes of another field: the title of a note.
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

/** What the service makes of another field of the same managed object, by place. [spec: Note, Task] */
const made: ReadonlyMap<string, string> = new Map([
  ['notes.title', 'content'],
  ['tasks.due_all_day', 'due_date'],
]);

/** Whether a field is made of other records (ROLLUP, HAS_MANY), by itself or through what it is made of. */
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
