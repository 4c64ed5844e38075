/** Finds the renamings of a manifest. */
import { quoted } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { StoredModel } from '../model/definition.ts';
import type { Manifest } from './manifest.ts';
import type { Problems } from './problems.ts';
import { renameField, renameObject } from './rename.ts';
import { below } from './shape.ts';

interface Named {
  readonly place: string;
  readonly name: string;
  readonly renamedFrom?: string;
  readonly absent?: boolean;
}

type Renamed<T extends Named> = T & { readonly renamedFrom: string };

/**
 * The entries whose old name exists and whose new name does not. If only the new name exists, the renaming was done before;
 * if neither does, the entry creates a part. Adds a problem if both exist.
 */
export function renamesAmong<T extends Named>(
  entries: readonly T[],
  stored: readonly { readonly name: string }[],
  problems: Problems,
): readonly Renamed<T>[] {
  const names = new Set(stored.map(({ name }) => name));
  const taken = new Set<string>();
  return entries.filter((entry): entry is Renamed<T> => {
    const from = entry.renamedFrom;
    if (from === undefined || from === entry.name) return false;
    const place = below(entry.place, 'renamedFrom');
    if (entry.absent) problems.add(place, 'cannot stand beside absent');
    else if (entries.some((other) => other.name === from))
      problems.add(place, `is ${quoted(from)}, which the manifest also names by itself`);
    else if (taken.has(from)) problems.add(place, `is ${quoted(from)}, which another entry takes too`);
    else if (names.has(from) && names.has(entry.name))
      problems.add(place, `is ${quoted(from)}, but there are both: ${quoted(from)} and ${quoted(entry.name)}`);
    else {
      taken.add(from);
      return names.has(from);
    }
    return false;
  });
}

/** The stored parts by their new names. */
export function underNewNames<T extends { readonly name: string }>(
  stored: readonly T[],
  renames: readonly Renamed<Named>[],
): readonly T[] {
  const newNames = new Map(renames.map((entry) => [entry.renamedFrom, entry.name]));
  return stored.map((item) => ({ ...item, name: newNames.get(item.name) ?? item.name }));
}

/** The model after renaming objects and fields only; in slices. */
export async function applyRenames(model: StoredModel, manifest: Manifest, problems: Problems): Promise<StoredModel> {
  let renamed = model;
  const objects = manifest.objects ?? [];
  for (const entry of renamesAmong(objects, model.objects, problems)) {
    if (sliceIsOver()) await nextSlice();
    const object = model.objects.find((candidate) => candidate.name === entry.renamedFrom);
    if (object?.definition.isSystem) problems.add(entry.place, `cannot rename ${object.name}: it is built in`);
    else renamed = renameObject(renamed, entry.renamedFrom, entry.name);
  }
  for (const entry of objects) {
    const object = renamed.objects.find((candidate) => candidate.name === entry.name);
    if (!object || !entry.fields) continue;
    for (const field of renamesAmong(entry.fields, object.fields, problems)) {
      if (sliceIsOver()) await nextSlice();
      if (isFixed(field.renamedFrom))
        problems.add(field.place, `cannot rename ${field.renamedFrom}: every object has it`);
      else renamed = await renameField(renamed, object.id, field.renamedFrom, field.name);
    }
  }
  return renamed;
}

/** Whether every object has the field, whatever the manifest says. */
export function isFixed(fieldName: string): boolean {
  return fieldName === 'owner' || fieldName === 'created_by';
}

/** The end of a sentence about an unknown name. */
export function notThere(what: string, name: string, known: Iterable<string>): string {
  return `names no ${what} of this workspace: ${quoted(name)}${didYouMean(name, known)}`;
}
