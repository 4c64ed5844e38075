/** Merges a manifest into the stored workspace. Only names are checked. */
import { newId } from '../lib/id.ts';
import type { ObjectDefinition, StoredField, StoredModel, StoredObject } from '../model/definition.ts';
import { canonicalObject, idOf, mapSteps, mapKeys, type Draft } from './draft.ts';
import type { Manifest, ObjectEntry } from './manifest.ts';
import { mergeField, mergeNamed } from './merge-fields.ts';
import { mergePipelines } from './merge-pipelines.ts';
import { mergeRoles } from './merge-roles.ts';
import { labelFor, singularOf } from './names.ts';
import type { Problems } from './problems.ts';
import { renameInStep } from './rename.ts';
import { applyRenames, isFixed } from './renames.ts';
import { below } from './shape.ts';

/** Merges the manifest. It is idempotent: merging it into the result changes nothing. */
export async function mergeManifest(stored: StoredModel, manifest: Manifest, problems: Problems): Promise<Draft> {
  const places = new Map<string, string>();
  const renamed = await applyRenames(stored, manifest, problems);
  const objects = mergeNamed(manifest.objects ?? [], renamed.objects, (entry, object) =>
    mergeObject(entry, object, places, problems),
  );
  refuseManaged(stored, manifest, problems);
  refuseRemovals(renamed, manifest, problems);
  const { name, currency, timezone } = { ...renamed, ...manifest.organization };
  const withObjects: StoredModel = { ...renamed, name, currency, timezone, objects };
  const withPipelines = mergePipelines(withoutLostFields(withObjects, renamed, stored), manifest, places, problems);
  return { model: mergeRoles(withPipelines, manifest, places, problems), places };
}

function mergeObject(
  entry: ObjectEntry,
  stored: StoredObject | undefined,
  places: Map<string, string>,
  problems: Problems,
): StoredObject {
  const id = idOf(entry, stored, places);
  const was = stored?.definition;
  const merged = mergeNamed(entry.fields ?? [], stored?.fields ?? [], (field, known) =>
    mergeField(field, known, places, problems),
  );
  const fields = withPeople(merged);
  const label = entry.label ?? was?.label ?? labelFor(entry.name);
  const definition: ObjectDefinition = {
    label,
    labelSingular: entry.labelSingular ?? was?.labelSingular ?? singularOf(label),
    isSystem: was?.isSystem ?? false,
    isHidden: entry.isHidden ?? was?.isHidden ?? false,
    iconName: entry.iconName === undefined ? (was?.iconName ?? null) : entry.iconName,
    color: entry.color === undefined ? (was?.color ?? null) : entry.color,
    displayField: entry.displayField ?? was?.displayField ?? defaultDisplay(fields),
  };
  return { id, name: entry.name, definition: canonicalObject(definition), fields };
}

/** Every object has `owner` and `created_by`, which `own` permissions use. */
function withPeople(fields: readonly StoredField[]): readonly StoredField[] {
  const has = (name: string) => fields.some((field) => field.name === name);
  const people: StoredField[] = [
    ...(has('owner') ? [] : [{ id: newId(), name: 'owner', definition: { label: 'Owner', type: 'USERS' } as const }]),
    ...(has('created_by')
      ? []
      : [
          {
            id: newId(),
            name: 'created_by',
            definition: { label: 'Created by', type: 'USERS', isReadonly: true } as const,
          },
        ]),
  ];
  return [...fields, ...people];
}

function defaultDisplay(fields: readonly StoredField[]): string {
  const texts = fields.filter((field) => field.definition.type === 'TEXT');
  return (texts.find((field) => field.name === 'name') ?? texts[0])?.name ?? 'id';
}

/** Managed objects are written by operations of their own, which rely on their fields. */
function refuseManaged(stored: StoredModel, manifest: Manifest, problems: Problems): void {
  for (const entry of manifest.objects ?? []) {
    const object = stored.objects.find(({ name }) => name === entry.name);
    if (object?.definition.kind === undefined) continue;
    problems.add(below(entry.place, 'name'), `must be another name: ${object.name} is an object of Kith's own`);
  }
}

function refuseRemovals(stored: StoredModel, manifest: Manifest, problems: Problems): void {
  for (const entry of manifest.objects ?? []) {
    const object = stored.objects.find((candidate) => candidate.name === entry.name);
    if (entry.absent && object?.definition.isSystem) {
      problems.add(below(entry.place, 'absent'), `cannot remove ${object.name}: it is built in; isHidden hides it`);
    }
    for (const field of entry.fields ?? []) {
      if (field.absent && isFixed(field.name)) {
        problems.add(below(field.place, 'absent'), `cannot remove ${field.name}: every object has it`);
      }
    }
  }
}

/**
 * Removes lost objects and fields from pipelines, steps and roles; `before` is the model after renaming. Filters by lost
 * fields are found by the checks.
 */
function withoutLostFields(model: StoredModel, before: StoredModel, stored: StoredModel): StoredModel {
  const lost = new Map<string, ReadonlySet<string>>();
  const gone = new Set<string>();
  for (const object of before.objects) {
    const now = model.objects.find((candidate) => candidate.id === object.id);
    if (!now) gone.add(object.name);
    const names = new Set(now?.fields.map((field) => field.name));
    lost.set(object.name, new Set(object.fields.map((field) => field.name).filter((name) => !names.has(name))));
  }
  const objectName = new Map(model.objects.map((object) => [object.id, object.name]));
  const names = (objects: readonly StoredObject[]) =>
    new Set(objects.flatMap((object) => object.fields.map((field) => field.name)));
  const [now, was] = [names(model.objects), names(stored.objects)];
  lost.set('*', new Set([...was].filter((name) => !now.has(name))));
  const kept = (object: string | undefined) => (name: string) => (lost.get(object ?? '')?.has(name) ? undefined : name);
  return {
    ...model,
    pipelines: model.pipelines
      .filter((pipeline) => objectName.has(pipeline.object_id))
      .map((pipeline) => mapSteps(pipeline, (step) => renameInStep(step, kept(objectName.get(pipeline.object_id))))),
    roles: model.roles.map((role) => ({
      ...role,
      permissions: Object.fromEntries(
        Object.entries(role.permissions)
          .filter(([name]) => !gone.has(name))
          .map(([name, entry]) => [
            name,
            entry.fields ? { ...entry, fields: mapKeys(entry.fields, kept(name)) } : entry,
          ]),
      ),
    })),
  };
}
