/** The links of records before a change set, in order, with those that others have added since. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Link } from '../../fields/field-type.ts';
import { inSlices, mapInSlices } from '../../lib/slices.ts';
import type { Cell } from '../../postgres/database.ts';
import { cellOf } from '../past/image.ts';
import { junctionColumns, type StoredColumn } from '../writing/columns.ts';
import { presentTargets, storedLinks, type KnownLink } from '../writing/links.ts';
import type { LookedAt, Part } from './looked-at.ts';
import type { EarlierLink, LinkTrace } from './trace.ts';

type LinksByField = Map<FieldDef, readonly Link[]>;

/**
 * The complete earlier lists of the `wanted` fields that differ now, by record. Links to missing or invisible targets
 * are left as they are.
 */
export async function earlierLinks(
  { call, tx, outcome }: Part,
  records: readonly LookedAt[],
  wanted: ReadonlyMap<string, { readonly links: readonly FieldDef[] }>,
): Promise<ReadonlyMap<string, LinksByField>> {
  const links = new Map<string, LinksByField>();
  for (const field of new Set([...wanted.values()].flatMap((one) => one.links))) {
    const linking = records.filter(({ id }) => wanted.get(id)?.links.includes(field));
    const stored = await storedLinks(
      call,
      tx,
      field,
      linking.map(({ id }) => id),
    );
    const made = new Set<string>();
    for (const { id, trace } of linking)
      await inSlices(trace.links.get(field.id)?.there ?? [], ([target, was]) => {
        if (was && !stored.get(id)?.has(target)) made.add(target);
      });
    const present = await presentTargets(call, tx, field, [...made].toSorted());
    for (const { id, trace } of linking) {
      const own = trace.links.get(field.id);
      if (!own) continue;
      const has = stored.get(id) ?? new Map<string, KnownLink>();
      const absent = (target: string, was: EarlierLink) => was !== null && !has.has(target) && !present.has(target);
      const there = new Map([...own.there].filter(([target, was]) => !absent(target, was)));
      if (there.size < own.there.size) outcome.leave(id, 'does_not_fit', [field.name]);
      const columns = junctionColumns(field);
      const list = await listOf(has, { ...own, there }, columns);
      // The remaining difference is only in links that are left as they are.
      if (isDeepStrictEqual(list, await listOf(has, { there: new Map(), stood: new Map() }, columns))) continue;
      links.set(id, (links.get(id) ?? new Map<FieldDef, readonly Link[]>()).set(field, list));
    }
  }
  return links;
}

interface PlacedLink extends Link {
  /** Undefined where unknown: it comes last. */
  readonly position: number | undefined;
}

async function listOf(
  stored: ReadonlyMap<string, KnownLink>,
  { there, stood }: Pick<LinkTrace, 'there' | 'stood'>,
  columns: readonly StoredColumn[],
): Promise<readonly Link[]> {
  const links = new Map<string, PlacedLink>();
  await inSlices(stored, ([target, { position, junction }]) => void links.set(target, { target, junction, position }));
  await inSlices(there, ([target, was]) => {
    if (was === null) links.delete(target);
    else {
      const { position, junction } = links.get(target) ?? { position: undefined, junction: columns.map(() => null) };
      links.set(target, { target, junction: was.junction ? cells(was.junction, columns) : junction, position });
    }
  });
  await inSlices(stood, ([target, position]) => {
    const link = links.get(target);
    if (link) links.set(target, { ...link, position });
  });
  const at = ({ position = Infinity }: PlacedLink) => position;
  const ordered = [...links.values()].toSorted((a, b) => {
    const [first, second] = [at(a), at(b)];
    return first === second ? (a.target < b.target ? -1 : 1) : first - second;
  });
  return mapInSlices(ordered, ({ target, junction }) => ({ target, junction }));
}

/** Null also for a value that the junction field's current type cannot hold. */
function cells(junction: NonNullable<EarlierLink>['junction'], columns: readonly StoredColumn[]): readonly Cell[] {
  return columns.map(({ field, type }) => cellOf(junction?.[field.id] ?? null, type) ?? null);
}
