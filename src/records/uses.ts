/** How often this process has sorted and filtered by which field since that was last entered in the databases. */
import type { Call } from '../access/call.ts';
import type { ObjectDef } from '../model/model.ts';
import { usesOf, type FieldUse, type UsedBy } from '../query/uses.ts';

export interface CountedUse extends FieldUse {
  readonly objectId: string;
  count: number;
}

/** Fields beyond these wait for the next time. */
const mostFields = 10_000;

/** By organization, then by object, field and use. */
let counted = new Map<string, Map<string, CountedUse>>();
let fields = 0;

/** Counts what a read of `object` asks of indexes, the role's rule included. */
export function countUses({ model: { organizationId }, visibility }: Call, object: ObjectDef, request: UsedBy): void {
  const rule = visibility.rows(object.name);
  const where = typeof rule === 'string' ? request.where : [...request.where, rule];
  for (const { fieldId, use } of usesOf(object, { ...request, where })) {
    const own = counted.get(organizationId) ?? new Map<string, CountedUse>();
    const key = `${object.id} ${fieldId} ${use}`;
    const known = own.get(key);
    if (known) known.count++;
    else if (fields < mostFields) {
      fields++;
      counted.set(organizationId, own.set(key, { objectId: object.id, fieldId, use, count: 1 }));
    }
  }
}

/** What was counted, by organization; counting begins anew. */
export function takeUses(): ReadonlyMap<string, readonly CountedUse[]> {
  const taken = new Map([...counted].map(([organizationId, uses]) => [organizationId, [...uses.values()]]));
  counted = new Map();
  fields = 0;
  return taken;
}
