/** Turns the rows of an import into cells: labels become ids, text becomes values, references are checked by the chunk. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { Mistakes, type FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { FieldProblem } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { inSlices, mapInSlices, nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { sql } from '../../postgres/sql.ts';
import { addUnknownKey, decodeValues, fieldError, writingOf, type Decoded, type Writing } from '../writing/decode.ts';
import { fillNewRecord } from '../writing/defaults.ts';
import { dependenciesOf, misfit, parentsOf, type Dependency } from '../writing/dependents.ts';
import {
  ambiguous,
  idsIn,
  isOverlong,
  type KnownIds,
  type Labels,
  labelsIn,
  mayMean,
  presentLinks,
  resolveLabels,
  targetsOf,
  unusableLabel,
  withIds,
  withPlace,
} from './labels.ts';
import { lockVisible, missingReference, targetOf } from '../writing/references.ts';

/** Labels or ids. */
const askedAtOnce = 10_000;

export interface DecodedRow extends Decoded {
  readonly index: number;
  readonly id: string;
}

/** Mistakes in all rows, after which each row tells of its first only. */
const mostTold = 1_000;

export class RowDecoder {
  readonly #call: Call;
  readonly #object: ObjectDef;
  readonly #lenient: boolean;
  readonly #writing: Writing;
  /** What the caller may see of the object, by name. */
  readonly #shown: ReadonlySet<string>;
  readonly #ignored = new Set<string>();
  readonly #dependencies: readonly Dependency[];
  /** By field name and target. */
  readonly #labels = new Map<string, Labels>();
  /** Ids that exist and are visible, with the object of the record, or `user`. */
  readonly #known = new Map<string, string>();
  /** Whose each target of a DEPENDENT_RELATION is. */
  readonly #parents = new Map<Dependency, Map<string, string>>();
  #unknownOwners = 0;
  #told = 0;

  constructor(call: Call, object: ObjectDef, values: 'import' | 'strict') {
    this.#call = call;
    this.#object = object;
    this.#lenient = values === 'import';
    this.#writing = writingOf(call, object);
    const names = [...object.attributes.keys(), ...object.fields.map(({ name }) => name)];
    this.#shown = new Set(names.filter((name) => call.visibility.shows(object.name, name)));
    this.#dependencies = dependenciesOf(call.model, object);
  }

  ignored(): string[] {
    return [...this.#ignored];
  }

  /** Looks up what the rows point at: labels become ids, ids are locked against deletion. One statement per field and target. */
  async resolve(tx: WorkspaceTransaction, rows: readonly JsonObject[]): Promise<void> {
    const fresh = new Map<string, string[]>(); // ids that were not known yet, by their object
    for (const field of this.#writing.fields.values()) {
      const targets = targetsOf(field);
      if (targets.length === 0) continue;
      const given = await mapInSlices(rows, (row) => this.#valueToLookUp(field, row[field.name] ?? null));
      const values = given.filter((value) => value !== null && !isOverlong(value));
      for (const target of targets) {
        const meant = targets.length === 1 ? values : values.filter((value) => mayMean(value, target));
        const found = fresh.get(target) ?? [];
        fresh.set(target, found);
        await this.#resolveTarget(tx, field, target, meant, found);
      }
    }
    for (const dependency of this.#dependencies) {
      const parents = this.#parents.get(dependency) ?? new Map<string, string>();
      this.#parents.set(dependency, parents);
      for (const some of atOnce(fresh.get(dependency.target.name) ?? [])) {
        const found = await parentsOf(this.#call, tx.run, this.#object, dependency, some);
        await inSlices(found, ([id, parent]) => parents.set(id, parent));
      }
    }
  }

  /** Adds the ids that were not known yet to `fresh`. */
  async #resolveTarget(
    tx: WorkspaceTransaction,
    field: FieldDef,
    target: string,
    values: readonly Json[],
    fresh: string[],
  ): Promise<void> {
    const labels = this.#lenient ? await distinct(values, labelsIn) : [];
    const found = new Map<string, string>();
    for (const some of atOnce(labels)) {
      for (const [label, id] of await resolveLabels(this.#call, tx.run, target, some)) found.set(label, id);
    }
    this.#labels.set(`${field.name} ${target}`, found);
    const ids = await distinct([...values, ...found.values()], idsIn);
    const unknown = ids.filter((id) => !this.#known.has(id));
    for (const some of atOnce(unknown)) {
      const users = sql`select id from ${this.#call.workspace.table('_users')} where id = any(${some}::uuid[])`;
      const known = await tx.run(target === 'user' ? users : lockVisible(this.#call, target, some));
      await inSlices(known.rows, ([id]) => {
        if (!id) return;
        this.#known.set(id, target);
        fresh.push(id);
      });
    }
  }

  /** One row as cells, with defaults. Throws VALIDATION_ERROR with every problem, or PERMISSION_DENIED. */
  async decode(row: JsonObject): Promise<Decoded> {
    this.#call.signal.throwIfAborted();
    // Every row says what is wrong with it, but not all of them at length.
    const mistakes = this.#told < mostTold ? new Mistakes() : new Mistakes(1);
    const values = this.#lenient ? await this.#lenientValues(row, mistakes) : row;
    const decoded = await decodeValues(this.#writing, values, mistakes);
    await fillNewRecord(this.#call, this.#object, decoded, this.#writing.context, mistakes);
    for (const broken of this.#brokenReferences(decoded)) mistakes.add(broken);
    this.#told += mistakes.count;
    mistakes.refuse();
    return decoded;
  }

  unknownOwners(): number {
    return this.#unknownOwners;
  }

  #brokenReferences({ cells, links }: Decoded): FieldError[] {
    const problems: FieldError[] = [];
    const check = (field: FieldDef, target: string | undefined, ids: readonly Cell[]) => {
      if (target !== undefined && !ids.every((id) => id === null || this.#isKnown(id, target))) {
        problems.push(missingReference(field, target));
      }
    };
    for (const [field, given] of cells) check(field, targetOf(field, given), given.slice(0, 1));
    for (const [field, given] of links) {
      check(
        field,
        targetOf(field, []),
        given.map((link) => link.target),
      );
    }
    for (const dependency of this.#dependencies) {
      const child = cells.get(dependency.child)?.[0];
      if (!child || problems.some(({ field }) => field === dependency.child.name)) continue;
      const parent = cells.get(dependency.parent)?.[0] ?? null;
      if (parent === null || this.#parents.get(dependency)?.get(child) !== parent) {
        problems.push(misfit(this.#call, this.#object, dependency));
      }
    }
    return problems;
  }

  #isKnown(id: string, target: string): boolean {
    if (target === 'user' && id === this.#call.caller.workspaceUserId) return true;
    return this.#known.get(id.toLowerCase()) === target;
  }

  async #lenientValues(row: JsonObject, mistakes: Mistakes): Promise<JsonObject> {
    const values: JsonObject = {};
    for (const [name, given] of Object.entries(row)) {
      if (sliceIsOver()) await nextSlice();
      const field = this.#writing.fields.get(name);
      if (!field) {
        if (this.#isReadonly(name)) this.#ignored.add(name);
        else addUnknownKey(this.#writing, name, mistakes);
        continue;
      }
      try {
        const value = this.#lenientValue(field, given);
        if (value !== undefined) values[name] = value;
      } catch (error) {
        if (!(error instanceof FieldProblem)) throw error;
        mistakes.add(fieldError(name, error));
      }
    }
    return values;
  }

  /** The value for `decode`; undefined for an empty cell, whose place the default takes. */
  #lenientValue(field: FieldDef, given: Json): Json | undefined {
    const asValue = this.#asValue(field, given);
    if (isOverlong(asValue)) return asValue; // decode says what is wrong with it
    const value = presentLinks(asValue, this.#known);
    if (value === null) return undefined;
    const targets = targetsOf(field);
    const [only] = targets;
    if (only === undefined) return value;
    if (targets.length > 1) return withPlace(value, this.#labelsOf(field, targets), this.#known);
    const labels = this.#labels.get(`${field.name} ${only}`) ?? new Map<string, string>();
    const lost = labelsIn(value).filter((label) => (labels.get(label) ?? ambiguous) === ambiguous);
    const first = lost.find((label) => labels.has(label)) ?? lost[0];
    if (first === undefined || !needsLabels(value, this.#known)) return withIds(value, labels, this.#known);
    if (field.name === 'owner' && !labels.has(first)) {
      this.#unknownOwners++;
      return undefined;
    }
    throw unusableLabel(first, labels.has(first));
  }

  #labelsOf(field: FieldDef, targets: readonly string[]): ReadonlyMap<string, Labels> {
    return new Map(targets.map((target) => [target, this.#labels.get(`${field.name} ${target}`) ?? new Map()]));
  }

  /** Throws FieldProblem. */
  #asValue(field: FieldDef, given: Json): Json {
    return this.#lenient && typeof given === 'string' ? fieldType(field.type).fromCell(given, field) : given;
  }

  /** Null for a cell that is none: `decode` says what is wrong with it. */
  #valueToLookUp(field: FieldDef, given: Json): Json {
    try {
      return this.#asValue(field, given);
    } catch (error) {
      if (error instanceof FieldProblem) return null;
      throw error;
    }
  }

  #isReadonly(name: string): boolean {
    return this.#shown.has(name) || (name.endsWith('_display') && this.#shown.has(name.slice(0, -'_display'.length)));
  }
}

/** What the values hold, each once. */
async function distinct(values: readonly Json[], held: (value: Json) => readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  await inSlices(values, (value) => {
    for (const item of held(value)) found.add(item);
  });
  return [...found];
}

/** Parts that one statement asks about. */
function atOnce(items: readonly string[]): readonly string[][] {
  const count = Math.ceil(items.length / askedAtOnce);
  return Array.from({ length: count }, (_, at) => items.slice(at * askedAtOnce, (at + 1) * askedAtOnce));
}

/** Whether a label is the only way to an id: an object whose id is known here does not need its own. */
function needsLabels(value: Json, known: KnownIds): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.some((item) => !idsIn(item).some((id) => known.has(id)));
}
