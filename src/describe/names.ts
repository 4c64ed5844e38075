/** Names of components, from what objects and fields are called: the same for the same workspace, and never twice. */
import type { ObjectDef } from '../model/model.ts';

/** What is made of an object: `Contact` and `Contacts`. */
export interface ObjectNames {
  readonly singular: string;
  readonly plural: string;
}

/** What is put behind an object's own name. */
const endings = ['', 'Create', 'Update'];

/** Built-in objects go first, so that no label takes their names; `taken` are in use already. */
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

/** Names in use; they differ in more than case, since tools make files of them. */
export class Names {
  readonly #taken = new Set<string>();

  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#taken.add(name.toLowerCase());
  }

  /** The first of `wanted` (with a number behind the last, if need be) that is free with all of its endings; from now on it is not. */
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

/** `Purchase order` and `purchase_order` as `PurchaseOrder`; undefined where nothing is left that a name can begin with. */
export function pascal(text: string): string | undefined {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = ascii.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) ? name.slice(0, 60) : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
