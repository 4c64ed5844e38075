/**
 * What decides which records of an object a caller sees: the record's own fields, whose past is in history; and other
 * rows or the time, which change visibility without an entry for the record.
 */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { FilterCondition, Model, ObjectDef, RowCondition } from '../../model/model.ts';
import { resolveAttribute } from '../../query/attributes.ts';
import type { Visibility } from '../../query/context.ts';
import { sourcesOf } from '../../query/field-sources.ts';
import { conditionsIn } from '../../query/filter.ts';
import { objectScope } from '../../query/object-scope.ts';
import { splitPath } from '../../query/subject.ts';
import { watch } from '../../query/timeless.ts';
import { admitsAll, visibleRow } from '../../query/where.ts';

export interface Deciding {
  /** Whether the caller sees every record. */
  readonly isAll: boolean;
  /** The record's own deciding fields, hidden ones included. */
  readonly own: ReadonlySet<FieldDef>;
  /** Whether any write of the record may decide, since the rule reads `updated_at`. */
  readonly isByWrites: boolean;
  /** Deciding fields of other rows, by object id. */
  readonly beyond: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether the time decides. */
  readonly isTimed: boolean;
}

const remembered = new WeakMap<Visibility, WeakMap<ObjectDef, Deciding>>();

/** Cached with the caller's visibility. */
export function decidingOf(call: Call, object: ObjectDef): Deciding {
  let known = remembered.get(call.visibility);
  if (!known) remembered.set(call.visibility, (known = new WeakMap()));
  let deciding = known.get(object);
  if (!deciding) known.set(object, (deciding = find(call, object)));
  return deciding;
}

function find(call: Call, object: ObjectDef): Deciding {
  const rule = call.visibility.rows(object.name);
  const own = new Set<FieldDef>();
  const beyond = new Map<string, Set<string>>();
  const looks = new FieldCollector(call.model, object, own, beyond);
  const conditions = [...(typeof rule === 'string' ? [] : conditionsIn(rule)), ...conditionsOfObject(object)];
  for (const { field } of conditions) looks.at(field);
  const watching = watch(call);
  visibleRow(objectScope(watching.watched, object, 'r'));
  return {
    isAll: admitsAll(rule, object),
    own,
    isByWrites: [...own].some(({ name }) => name === 'updated_at'),
    beyond,
    isTimed: watching.lookedAtTime(),
  };
}

/** Conditions on what the caller sees elsewhere are ignored: such objects have no history, and are not followed. */
function conditionsOfObject({ condition }: ObjectDef): FilterCondition[] {
  const within = ({ conditions }: RowCondition): FilterCondition[] =>
    conditions.flatMap((part) => ('conditions' in part ? within(part) : 'sees' in part ? [] : [part]));
  return condition ? within(condition) : [];
}

/** Collects the fields that conditions read, through everything they are derived from. */
class FieldCollector {
  readonly #model: Model;
  readonly #object: ObjectDef;
  readonly #own: Set<FieldDef>;
  readonly #beyond: Map<string, Set<string>>;
  readonly #seen = new Set<string>();

  constructor(model: Model, object: ObjectDef, own: Set<FieldDef>, beyond: Map<string, Set<string>>) {
    this.#model = model;
    this.#object = object;
    this.#own = own;
    this.#beyond = beyond;
  }

  at(name: string): void {
    const [first, path] = splitPath(name);
    const field = resolveAttribute(this.#object, first);
    if (!field) return;
    this.#visit(this.#object, first, false);
    const target = field.relationConfig?.relationType === 'BELONGS_TO_ONE' && path !== undefined;
    const there = target ? this.#model.objects.get(field.relationConfig.targetObjectName) : undefined;
    if (there && path !== undefined) this.#visit(there, path, true);
  }

  #visit(object: ObjectDef, name: string, isBeyond: boolean): void {
    const key = `${isBeyond} ${object.name}.${name}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const field = resolveAttribute(object, name);
    if (!field) return;
    if (!isBeyond) this.#own.add(field);
    else this.#beyond.set(object.id, (this.#beyond.get(object.id) ?? new Set()).add(field.id));
    const leadsAway = isBeyond || field.rollup !== undefined || field.relationConfig?.inverseField !== undefined;
    for (const { objectName, fieldName } of sourcesOf(this.#model, {
      objectName: object.name,
      fieldName: field.name,
    })) {
      const source = this.#model.objects.get(objectName);
      if (source) this.#visit(source, fieldName, leadsAway);
    }
  }
}

/**
 * A digest of everything that decides which records and fields of the objects the caller sees: when it changes, a
 * follower must read them anew.
 */
export function sightOf(call: Call, objects: readonly ObjectDef[]): string {
  const { model, visibility, me } = call;
  const looked = new Set(objects.map(({ id }) => id));
  for (const object of objects) for (const id of decidingOf(call, object).beyond.keys()) looked.add(id);
  const parts = [...model.objects.values()].flatMap((object) => {
    if (!looked.has(object.id)) return [];
    const shown = [...object.attributes.keys()].map((name) => visibility.shows(object.name, name));
    return [[object.name, visibility.rows(object.name), shapeOf(object), shown]];
  });
  // Covers unfollowed objects as far as rules read them, and the set of followed ones.
  const identity = [model.epoch, me, objects.map(({ id }) => id).toSorted(), parts];
  return hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 22);
}

/** The shape of a record's values, without labels. */
function shapeOf({ id, attributes }: ObjectDef): unknown {
  const fields = [...attributes.values()].map(
    ({ id: key, name, type, relationConfig, calculation, rollup, junctionFields }) => [
      key,
      name,
      type,
      relationConfig,
      calculation?.expression,
      rollup,
      junctionFields?.map((part) => [part.id, part.name, part.type]),
    ],
  );
  return [id, fields];
}
