/** Fields whose values belong together, and the leading field through which a bundle is written. */
import type { FieldDef } from '../../fields/field-def.ts';
import type { ObjectDef } from '../../model/model.ts';
import { pipelineFields } from '../writing/pipeline-fields.ts';
import type { Bundles } from './trace.ts';

/** For tasks and notes: the fields that follow from a field, by name. */
const following: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  tasks: {
    due_date: ['due_all_day'],
    is_completed: ['completed_at', 'completed_by'],
    assigned_to_id: ['assigned_by_id'],
  },
  notes: { content: ['title'] },
};

/** The whole bundle, by the id of each of its fields. */
export function bundlesOf(object: ObjectDef): Bundles {
  const bundles = new Map<string, readonly string[]>();
  for (const pair of [...followersOf(object), ...dependentsOf(object)]) {
    const all = new Set(pair.flatMap(({ id }) => bundles.get(id) ?? [id]));
    for (const id of all) bundles.set(id, [...all]);
  }
  return bundles;
}

/** The field whose permission decides: a derived field is written through its leader. */
export function leaderOf(object: ObjectDef, field: FieldDef): FieldDef {
  return followersOf(object).find(([, follower]) => follower === field)?.[0] ?? field;
}

/** A field, and one that follows from it. */
type Pair = readonly [FieldDef, FieldDef];

const remembered = new WeakMap<ObjectDef, readonly Pair[]>();

function followersOf(object: ObjectDef): readonly Pair[] {
  const known = remembered.get(object);
  if (known) return known;
  const place = pipelineFields(object);
  const pairs: Pair[] = place
    ? [
        [place.step, place.pipeline],
        [place.step, place.enteredAt],
      ]
    : [];
  const own = object.kind === 'managed' ? (following[object.name] ?? {}) : {};
  for (const [name, names] of Object.entries(own))
    for (const follower of names) pairs.push(...pairOf(object, name, follower));
  remembered.set(object, pairs);
  return pairs;
}

/** A dependent relation is cleared when its parent changes. */
function dependentsOf(object: ObjectDef): readonly Pair[] {
  return object.fields.flatMap(({ name, dependsOn }) =>
    dependsOn === undefined ? [] : pairOf(object, dependsOn, name),
  );
}

function pairOf({ attributes }: ObjectDef, name: string, follower: string): Pair[] {
  const [first, second] = [attributes.get(name), attributes.get(follower)];
  return first && second ? [[first, second]] : [];
}
