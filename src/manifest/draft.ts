/** A workspace as a manifest would have it, while it is being put together; and where in the manifest each part is named. */
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
  /** The place in the manifest that names an object, a field, a pipeline, a step or a role, by its id. */
  readonly places: ReadonlyMap<string, string>;
}

/** The id of what `entry` is about, a new one where nothing is stored; `places` keeps where it is named. */
export function idOf(
  entry: { readonly place: string },
  stored: { readonly id: string } | undefined,
  places: Map<string, string>,
): string {
  const id = stored?.id ?? newId();
  places.set(id, entry.place);
  return id;
}

/** The definition without what says nothing, so that two that mean the same are the same. */
export function canonicalField(definition: FieldDefinition): FieldDefinition {
  const { label, type, ...rest } = definition;
  const said = Object.entries(rest).filter(
    ([key, value]) => value !== null && value !== undefined && (value !== false || key === 'defaultValue'),
  );
  return { label, type, ...Object.fromEntries(said) };
}

/** The definition without keys that say what is so anyway, so that equal ones are the same JSON. */
export function canonicalObject({ isHidden, ...definition }: ObjectDefinition): ObjectDefinition {
  return isHidden ? { ...definition, isHidden } : definition;
}

/** Replaces what `change` says of every object, or of every field of every object. */
export function mapObjects(model: StoredModel, change: (object: StoredObject) => StoredObject): StoredModel {
  return { ...model, objects: model.objects.map(change) };
}

/** The object with each field changed. */
export function mapFields(object: StoredObject, change: (field: StoredField) => StoredField): StoredObject {
  return { ...object, fields: object.fields.map(change) };
}

/** The pipeline with each step changed. */
export function mapSteps(pipeline: StoredPipeline, change: (step: StoredStep) => StoredStep): StoredPipeline {
  return { ...pipeline, steps: pipeline.steps.map(change) };
}

/** The record with its keys renamed or, where `change` gives undefined, left out. */
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

/** Where the manifest names the part; what it does not name goes by `name`. */
export function placeOf({ places }: Draft, id: string, name: string): string {
  return places.get(id) ?? name;
}
