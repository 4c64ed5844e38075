/** The difference between two workspaces, as `plan` and `apply` answer it. */
import { isDeepStrictEqual } from 'node:util';
import { canonicalNumber } from '../fields/digits.ts';
import { Digits } from '../lib/json.ts';
import type { StoredField, StoredModel, StoredObject, StoredPipeline } from '../model/definition.ts';
import { canonicalField, canonicalObject } from './draft.ts';

export interface Change {
  readonly action: 'create' | 'update' | 'rename' | 'remove';
  readonly kind: 'organization' | 'object' | 'field' | 'pipeline' | 'step' | 'role';
  readonly name: string;
  /** The object of a field or pipeline. */
  readonly object?: string;
  /** The pipeline of a step. */
  readonly pipeline?: string;
  /** The old name. */
  readonly from?: string;
  /** The changed keys. */
  readonly changed?: readonly string[];
  /** How many rows would lose a value. */
  readonly rows?: number;
}

/** The changes in the order of the workspace: organization, objects with fields, pipelines with steps, roles; removals last. */
export function changesBetween(before: StoredModel, after: StoredModel): readonly Change[] {
  const settings = changedKeys(settingsOf(before), settingsOf(after));
  const objectNames = new Map(after.objects.map((object) => [object.id, object.name]));
  return [
    ...(settings.length > 0
      ? [{ action: 'update', kind: 'organization', name: after.name, changed: settings } as const]
      : []),
    ...compare('object', before.objects, after.objects, objectKeys, {}, fieldChanges),
    ...compare(
      'pipeline',
      before.pipelines.filter((pipeline) => objectNames.has(pipeline.object_id)),
      after.pipelines,
      (pipeline) => ({ isDefault: pipeline.is_default }),
      (pipeline) => ({ object: objectNames.get(pipeline.object_id) ?? '' }),
      stepChanges,
    ),
    ...compare(
      'role',
      before.roles,
      after.roles,
      (role) => ({ isAdmin: role.is_admin, permissions: role.permissions }),
      {},
    ),
  ];
}

function settingsOf({ name, currency, timezone }: StoredModel): object {
  return { name, currency, timezone };
}

function objectKeys(object: StoredObject): object {
  return canonicalObject(object.definition);
}

function fieldChanges(before: StoredObject | undefined, after: StoredObject): readonly Change[] {
  const keys = ({ definition }: StoredField) => {
    const { junctionFields, ...rest } = canonicalField(definition);
    return { ...rest, ...(junctionFields && { junctionFields: junctionFields.map(withoutId) }) };
  };
  return compare('field', before?.fields ?? [], after.fields, keys, { object: after.name });
}

function withoutId({ name, definition }: StoredField): object {
  return { name, definition: canonicalField(definition) };
}

function stepChanges(before: StoredPipeline | undefined, after: StoredPipeline): readonly Change[] {
  const keys = ({ order_index, definition }: StoredPipeline['steps'][number]) => ({ ...definition, order_index });
  return compare('step', before?.steps ?? [], after.steps, keys, { pipeline: after.name });
}

interface Part {
  readonly id: string;
  readonly name: string;
}

type Belonging = Pick<Change, 'object' | 'pipeline'>;

function compare<T extends Part>(
  kind: Change['kind'],
  before: readonly T[],
  after: readonly T[],
  keys: (part: T) => object,
  belonging: Belonging | ((part: T) => Belonging),
  inner: (before: T | undefined, after: T) => readonly Change[] = () => [],
): readonly Change[] {
  const known = new Map(before.map((part) => [part.id, part]));
  const kept = new Set(after.map((part) => part.id));
  const of = (part: T) => (typeof belonging === 'function' ? belonging(part) : belonging);
  const removed = before.filter((part) => !kept.has(part.id));
  return [
    ...after.flatMap((part): Change[] => {
      const was = known.get(part.id);
      const named = { kind, name: part.name, ...of(part) };
      if (!was) return [{ action: 'create', ...named }, ...inner(was, part)];
      const changed = changedKeys(keys(was), keys(part));
      return [
        ...(was.name === part.name ? [] : [{ action: 'rename', ...named, from: was.name } as const]),
        ...(changed.length > 0 ? [{ action: 'update', ...named, changed } as const] : []),
        ...inner(was, part),
      ];
    }),
    ...removed.map((part): Change => ({ action: 'remove', kind, name: part.name, ...of(part) })),
  ];
}

/** Keys whose values differ in meaning. The database keeps a number's value, not its notation. */
function changedKeys(before: object, after: object): readonly string[] {
  const [a, b] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].filter((key) => !isDeepStrictEqual(plain(a.get(key)), plain(b.get(key))));
}

function plain(value: unknown): unknown {
  if (typeof value === 'number' || value instanceof Digits) {
    const digits = canonicalNumber(value instanceof Digits ? value.source : String(value));
    return { number: digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits };
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
