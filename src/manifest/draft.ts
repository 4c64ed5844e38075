/** A workspace during a merge, with the place in the manifest of each part. */
import { newId } from '../lib/id.ts';
import type {
  FieldDefinition,
  ObjectDefinition,
  StoredField,
  StoredModel,
  StoredObject,
  StoredPipeline,
  StoredStep,
} from '../model/definition.ts';

export interface Draft {
  readonly model: StoredModel;
  /** The place in the manifest by id of an object, field, pipeline, step or role. */
  readonly places: ReadonlyMap<string, string>;
}

/** The id of the entry's part, new if nothing is stored; sets its place in `places`. */
export function idOf(
  entry: { readonly place: string },
  stored: { readonly id: string } | undefined,
  places: Map<string, string>,
): string {
  const id = stored?.id ?? newId();
  places.set(id, entry.place);
  return id;
}

/** The definition without keys that equal the default, so that equal definitions are identical. */
export function canonicalField(definition: FieldDefinition): FieldDefinition {
  const { label, type, ...rest } = definition;
  const said = Object.entries(rest).filter(
    ([key, value]) => value !== null && value !== undefined && (value !== false || key === 'defaultValue'),
  );
  return { label, type, ...Object.fromEntries(said) };
}

/** The definition without keys that equal the default, so that equal ones have the same JSON. */
export function canonicalObject({ isHidden, ...definition }: ObjectDefinition): ObjectDefinition {
  return isHidden ? { ...definition, isHidden } : definition;
}

/** Applies `change` to every object. */
export function mapObjects(model: StoredModel, change: (object: StoredObject) => StoredObject): StoredModel {
  return { ...model, objects: model.objects.map(change) };
}

/** Applies `change` to each field of the object. */
export function mapFields(object: StoredObject, change: (field: StoredField) => StoredField): StoredObject {
  return { ...object, fields: object.fields.map(change) };
}

/** Applies `change` to each step of the pipeline. */
export function mapSteps(pipeline: StoredPipeline, change: (step: StoredStep) => StoredStep): StoredPipeline {
  return { ...pipeline, steps: pipeline.steps.map(change) };
}

/** Renames the keys; those for which `change` returns undefined are dropped. */
export function mapKeys<T>(
  record: Readonly<Record<string, T>>,
  change: (key: string) => string | undefined,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const name = change(key);
      return name === undefined ? [] : [[name, value]];
    }),
  );
}

/** The place of the part in the manifest, or else `name`. */
export function placeOf({ places }: Draft, id: string, name: string): string {
  return places.get(id) ?? name;
}
