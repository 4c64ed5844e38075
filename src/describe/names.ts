/** Names of components, derived from objects and fields: stable for a workspace, and unique. */
import type { ObjectDef } from '../model/model.ts';

/** The names of an object: `Contact` and `Contacts`. */
export interface ObjectNames {
  readonly singular: string;
  readonly plural: string;
}

/** Suffixes of an object's component names. */
const endings = ['', 'Create', 'Update'];

/** Names the objects, built-in ones first, so that no label takes their names; `taken` are in use. */
export function nameObjects(objects: readonly ObjectDef[], taken: Names): ReadonlyMap<ObjectDef, ObjectNames> {
  const ordered = objects.toSorted((a, b) => Number(b.isSystem) - Number(a.isSystem) || compare(a.name, b.name));
  const plurals = new Names();
  const named = new Map<ObjectDef, ObjectNames>();
  for (const object of ordered) {
    const singular = taken.claim([pascal(object.labelSingular), pascal(object.name)], endings);
    named.set(object, { singular, plural: plurals.claim([pascal(object.label), pascal(object.name)]) });
  }
  return named;
}

/** Names in use; unique ignoring case, since tools make files of them. */
export class Names {
  readonly #taken = new Set<string>();

  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#taken.add(name.toLowerCase());
  }

  /** Claims the first of `wanted` that is free with all of its suffixes; if none is, the last with a number. */
  claim(wanted: readonly (string | undefined)[], withEndings: readonly string[] = ['']): string {
    const usable = wanted.filter((name) => name !== undefined);
    const last = usable.at(-1) ?? 'Thing';
    for (let count = 1; ; count++) {
      const tried = count === 1 ? usable : [`${last}${count}`];
      const free = tried.find((name) => withEndings.every((ending) => !this.#taken.has((name + ending).toLowerCase())));
      if (free === undefined) continue;
      for (const ending of withEndings) this.#taken.add((free + ending).toLowerCase());
      return free;
    }
  }
}

/** `Purchase order` and `purchase_order` as `PurchaseOrder`; undefined if no valid name is left. */
export function pascal(text: string): string | undefined {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = ascii.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) ? name.slice(0, 60) : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
