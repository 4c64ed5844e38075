/** Counts this process's sorts and filters by field, until they are entered in the databases. */
import type { Call } from '../../access/call.ts';
import { registerCache, type CacheSize } from '../../lib/caches.ts';
import type { ObjectDef } from '../../model/model.ts';
import { usesOf, type FieldUse, type UsedBy } from '../../query/uses.ts';

export interface CountedUse extends FieldUse {
  readonly objectId: string;
  count: number;
}

type Uses = Map<string, CountedUse>;

/** Further fields are not counted until the next time. */
const mostFields = 10_000;
/** Three ids, in the key and in the value, and a number. */
const bytesOfUse = 600;

/** By organization, then by object, field and use. */
class Counted implements CacheSize {
  readonly maxBytes = mostFields * bytesOfUse;
  #uses = new Map<string, Uses>();
  #fields = 0;

  constructor() {
    registerCache('field_uses', this);
  }

  get bytes(): number {
    return this.#fields * bytesOfUse;
  }

  get entries(): number {
    return this.#fields;
  }

  count(organizationId: string, key: string, use: Omit<CountedUse, 'count'>): void {
    const own: Uses = this.#uses.get(organizationId) ?? new Map();
    const known = own.get(key);
    if (known) known.count++;
    else if (this.#fields < mostFields) {
      this.#fields++;
      this.#uses.set(organizationId, own.set(key, { ...use, count: 1 }));
    }
  }

  take(): ReadonlyMap<string, Uses> {
    const taken = this.#uses;
    this.#uses = new Map();
    this.#fields = 0;
    return taken;
  }
}

const counted = new Counted();

/** Counts the indexes that a read of `object` uses, including those for the role's rule. */
export function countUses({ model: { organizationId }, visibility }: Call, object: ObjectDef, request: UsedBy): void {
  const rule = visibility.rows(object.name);
  const where = typeof rule === 'string' ? request.where : [...request.where, rule];
  for (const { fieldId, use } of usesOf(object, { ...request, where })) {
    counted.count(organizationId, `${object.id} ${fieldId} ${use}`, { objectId: object.id, fieldId, use });
  }
}

/** Returns the counts by organization, and resets them. */
export function takeUses(): ReadonlyMap<string, readonly CountedUse[]> {
  return new Map([...counted.take()].map(([organizationId, uses]) => [organizationId, [...uses.values()]]));
}
