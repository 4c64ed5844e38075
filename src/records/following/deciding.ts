/**
 * What decides which records of an object a caller sees: fields of the record itself, whose past history knows; and other rows or
 * the time, by which a record comes into view or leaves it without an entry of its own.
 */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { FilterCondition, FilterGroup, Model, ObjectDef, RowCondition } from '../../model/model.ts';
import { resolveAttribute } from '../../query/attributes.ts';
import type { Visibility } from '../../query/context.ts';
import { sourcesOf } from '../../query/field-sources.ts';
import { objectScope } from '../../query/object-scope.ts';
import { splitPath } from '../../query/subject.ts';
import { watch } from '../../query/timeless.ts';
import { admitsAll, visibleRow } from '../../query/where.ts';

export interface Deciding {
  /** Whether every record is there for the caller. */
  readonly isAll: boolean;
  /** The record's own fields that decide, hidden ones too. */
  readonly own: ReadonlySet<FieldDef>;
  /** Whether every write of the record may, as where the rule looks at `updated_at`. */
  readonly isByWrites: boolean;
  /** Other rows that decide: the ids of their objects, and of the fields that are looked at. */
  readonly beyond: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether the time decides. */
  readonly isTimed: boolean;
}

const remembered = new WeakMap<Visibility, WeakMap<ObjectDef, Deciding>>();

/** Remembered with the caller's visibility. */
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
  const looks = new Looks(call.model, object, own, beyond);
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

function conditionsIn({ conditions }: FilterGroup): FilterCondition[] {
  return conditions.flatMap((part) => ('conditions' in part ? conditionsIn(part) : [part]));
}

/** Records of objects that look at what the caller sees elsewhere leave no history, and are not followed. */
function conditionsOfObject({ condition }: ObjectDef): FilterCondition[] {
  const within = ({ conditions }: RowCondition): FilterCondition[] =>
    conditions.flatMap((part) => ('conditions' in part ? within(part) : 'sees' in part ? [] : [part]));
  return condition ? within(condition) : [];
}

/** Collects what conditions look at, through all that it is made of. */
class Looks {
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
 * A digest of all that decides which records of the objects the caller sees, and what of them: where it is another one, whoever
 * followed has to read them anew.
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
  // Objects that are not followed count as far as rules look at them; and which ones are followed.
  const identity = [model.epoch, me, objects.map(({ id }) => id).toSorted(), parts];
  return hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 22);
}

/** What a field's values are, without how it is called to people. */
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
