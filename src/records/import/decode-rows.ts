/** Decodes the rows of an import into cells: labels become ids, text becomes values. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { Mistakes, type FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { FieldProblem } from '../../fields/field-type.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { inSlices, mapInSlices, nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { addUnknownKey, decodeValues, fieldError, writingOf, type Decoded, type Writing } from '../writing/decode.ts';
import { fillNewRecord } from '../writing/defaults.ts';
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
import { lockVisible } from '../writing/references.ts';
import { defaultHandling, type Handling } from './handling.ts';
import { findable, namelessContact, namesPeople } from './nameless-contact.ts';
import { makeRecords, recordsBy } from './lookups.ts';

/** Labels or ids per statement. */
const lookedUpAtOnce = 10_000;

/** Mistakes in all rows, after which each row reports only its first. */
const mostReported = 1_000;

/** A cell whose field stays empty, or keeps only the valid items of a list. */
export interface CellWarning extends FieldError {
  readonly kept?: Json;
}

export interface DecodedValues {
  readonly decoded: Decoded;
  readonly mistakes: Mistakes;
  readonly warnings: readonly CellWarning[];
}

/**
 * Decodes the rows of one import: labels and ids of all rows are resolved together, and ignored columns are counted
 * once.
 */
export class RowDecoder {
  readonly #call: Call;
  readonly #object: ObjectDef;
  readonly #lenient: boolean;
  readonly #writing: Writing;
  /** The fields that the caller may see, by name. */
  readonly #shown: ReadonlySet<string>;
  readonly #ignored = new Set<string>();
  /** By field name and target. */
  readonly #labels = new Map<string, Labels>();
  /** Existing and visible ids, with the record's object, or `user`. */
  readonly #known = new Map<string, string>();
  readonly #made = new Map<string, number>();
  readonly #handling: Handling;
  #warnings: CellWarning[] = [];
  #unknownOwners = 0;
  #reported = 0;

  constructor(call: Call, object: ObjectDef, values: 'import' | 'strict', handling: Handling = defaultHandling) {
    this.#call = call;
    this.#handling = handling;
    this.#object = object;
    this.#lenient = values === 'import';
    this.#writing = writingOf(call, object);
    const names = [...object.attributes.keys(), ...object.fields.map(({ name }) => name)];
    this.#shown = new Set(names.filter((name) => call.visibility.shows(object.name, name)));
  }

  ignored(): string[] {
    return [...this.#ignored];
  }

  /** The number of records created for names in cells, by object. */
  made(): ReadonlyMap<string, number> {
    return this.#made;
  }

  /** Resolves labels and ids in cells, one statement per field and target; strict values have neither. */
  async resolve(tx: WorkspaceTransaction, rows: readonly JsonObject[]): Promise<void> {
    if (!this.#lenient) return;
    for (const field of this.#writing.fields.values()) {
      const targets = targetsOf(field);
      if (targets.length === 0) continue;
      const given = await mapInSlices(rows, (row) => this.#valueToLookUp(field, row[field.name] ?? null));
      const values = given.filter((value) => value !== null && !isOverlong(value));
      for (const target of targets) {
        const meant = targets.length === 1 ? values : values.filter((value) => mayMean(value, target));
        await this.#resolveTarget(tx, field, target, meant);
      }
    }
  }

  async #resolveTarget(
    tx: WorkspaceTransaction,
    field: FieldDef,
    target: string,
    values: readonly Json[],
  ): Promise<void> {
    const found = new Map<string, string>();
    const lookup = this.#handling.lookups.get(field.name);
    for (const some of atOnce(await distinct(values, labelsIn))) {
      const known =
        lookup?.by === undefined
          ? await resolveLabels(this.#call, tx.run, target, some)
          : await recordsBy(this.#call, tx, lookup, some);
      for (const [label, id] of known) found.set(label, id);
      if (!lookup?.makesMissing) continue;
      const made = await makeRecords(
        this.#call,
        tx,
        lookup,
        some.filter((label) => !found.has(label)),
      );
      for (const [label, id] of made) found.set(label, id);
      if (made.size > 0) this.#made.set(target, (this.#made.get(target) ?? 0) + made.size);
    }
    this.#labels.set(`${field.name} ${target}`, found);
    const ids = await distinct([...values, ...found.values()], idsIn);
    const unknown = ids.filter((id) => !this.#known.has(id));
    for (const some of atOnce(unknown)) {
      const users = sql`select id from ${this.#call.workspace.table('_users')} where id = any(${some}::uuid[])`;
      const known = await tx.run(target === 'user' ? users : lockVisible(this.#call, target, some));
      await inSlices(known.rows, ([id]) => {
        if (id) this.#known.set(id, target);
      });
    }
  }

  /** Decodes a row without defaults, and collects its mistakes. Throws PERMISSION_DENIED. */
  async decode(row: JsonObject): Promise<DecodedValues> {
    this.#call.signal.throwIfAborted();
    // Every row reports its mistakes, but not all of them in full.
    const mistakes = this.#reported < mostReported ? new Mistakes() : new Mistakes(1);
    this.#warnings = [];
    const values = this.#lenient ? await this.#lenientValues(row, mistakes) : row;
    const decoded = this.#leavesSome()
      ? await this.#decodeGood(values, mistakes)
      : await decodeValues(this.#writing, values, mistakes);
    this.#reported += mistakes.count;
    return { decoded, mistakes, warnings: this.#warnings };
  }

  /** Adds the defaults of a new record, and a mistake to a contact of which dropped cells leave nothing to find it by. */
  async complete({ decoded, mistakes, warnings }: DecodedValues): Promise<void> {
    const before = mistakes.count;
    await fillNewRecord(this.#call, this.#object, decoded, this.#writing.context, mistakes);
    const warning = warnings.find(({ field }) => findable.includes(field));
    const isLeft = (name: string) => [...decoded.cells].some(([field, [cell]]) => field.name === name && cell !== null);
    if (warning && namesPeople(this.#object) && !findable.some(isLeft))
      mistakes.add({ field: warning.field, message: `${namelessContact} (${warning.message})` });
    this.#reported += mistakes.count - before;
  }

  get writing(): Writing {
    return this.#writing;
  }

  /** Most rows are valid and so are decoded only once. */
  async #decodeGood(values: JsonObject, mistakes: Mistakes): Promise<Decoded> {
    const tried = new Mistakes(1);
    const decoded = await decodeValues(this.#writing, values, tried);
    if (tried.count === 0 && mistakes.count === 0) return decoded;
    const kept = tried.count === 0 ? values : await this.#withoutBadCells(values);
    return decodeValues(this.#writing, kept, mistakes);
  }

  /**
   * The values that their fields accept: of a list the valid items. Invalid values of required fields stay, and fail
   * the row.
   */
  async #withoutBadCells(values: JsonObject): Promise<JsonObject> {
    const good: JsonObject = {};
    for (const [name, value] of Object.entries(values)) {
      const problem = await this.#problemOf(name, value);
      if (problem === undefined || !this.#mayBeLeft(name)) {
        good[name] = value;
        continue;
      }
      const items = Array.isArray(value) ? await this.#goodItems(name, value) : [];
      if (items.length > 0) good[name] = items;
      this.#warnings.push({ field: name, message: problem, ...(items.length > 0 && { kept: items }) });
    }
    return good;
  }

  async #goodItems(name: string, all: readonly Json[]): Promise<Json[]> {
    const items: Json[] = [];
    for (const item of all) if ((await this.#problemOf(name, [item])) === undefined) items.push(item);
    return (await this.#problemOf(name, items)) === undefined ? items : [];
  }

  /** Whether an invalid cell of some field may be left empty. */
  #leavesSome(): boolean {
    return this.#handling.badCells === 'empty' || this.#handling.guessed.size > 0;
  }

  /** Whether an invalid cell leaves the field empty instead of failing the row. */
  #mayBeLeft(name: string): boolean {
    const { badCells, guessed } = this.#handling;
    return (badCells === 'empty' || guessed.has(name)) && this.#writing.fields.get(name)?.isRequired === false;
  }

  async #problemOf(name: string, value: Json): Promise<string | undefined> {
    const mistakes = new Mistakes();
    await decodeValues(this.#writing, { [name]: value }, mistakes);
    return mistakes.error()?.fieldErrors?.[0]?.message;
  }

  unknownOwners(): number {
    return this.#unknownOwners;
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
        const problem = fieldError(name, error);
        if (this.#mayBeLeft(name)) this.#warnings.push(problem);
        else mistakes.add(problem);
      }
    }
    return values;
  }

  /** The value for `decode`; undefined for an empty cell, which gets the default. */
  #lenientValue(field: FieldDef, given: Json): Json | undefined {
    const asValue = this.#asValue(field, given);
    if (isOverlong(asValue)) return asValue; // decode reports the problem
    const value = presentLinks(asValue, this.#known);
    if (value === null) return undefined;
    const targets = targetsOf(field);
    const [only] = targets;
    if (only === undefined) return value;
    if (targets.length > 1) return withPlace(value, this.#labelsOf(field, targets), this.#known);
    const labels = this.#labels.get(`${field.name} ${only}`) ?? new Map<string, string>();
    if (field.name === 'owner' && only === 'user' && isNobody(value, labels, this.#known)) {
      this.#unknownOwners++;
      return undefined;
    }
    const lost = labelsIn(value).filter((label) => (labels.get(label) ?? ambiguous) === ambiguous);
    const first = lost.find((label) => labels.has(label)) ?? lost[0];
    if (first === undefined || !needsLabels(value, this.#known)) return withIds(value, labels, this.#known);
    if (!Array.isArray(value) || !this.#mayBeLeft(field.name)) throw unusableLabel([first], labels.has(first));
    const isLost = (item: Json) =>
      needsLabels(item, this.#known) && labelsIn(item).some((label) => lost.includes(label));
    const rest = value.filter((item) => !isLost(item));
    this.#warnOfLost(field, lost, labels, rest);
    return rest.length === 0 ? undefined : withIds(rest, labels, this.#known);
  }

  /** Warns of links without a target; the others are made. */
  #warnOfLost({ name }: FieldDef, lost: readonly string[], labels: Labels, rest: readonly Json[]): void {
    const kept = rest.length > 0 && { kept: [...rest] };
    for (const isAmbiguous of [true, false]) {
      const some = lost.filter((label) => labels.has(label) === isAmbiguous);
      if (some.length > 0) this.#warnings.push({ ...fieldError(name, unusableLabel(some, isAmbiguous)), ...kept });
    }
  }

  #labelsOf(field: FieldDef, targets: readonly string[]): ReadonlyMap<string, Labels> {
    return new Map(targets.map((target) => [target, this.#labels.get(`${field.name} ${target}`) ?? new Map()]));
  }

  /** Converts the cell. Throws FieldProblem. */
  #asValue(field: FieldDef, given: Json): Json {
    return this.#lenient && typeof given === 'string' ? fieldType(field.type).fromCell(given, field) : given;
  }

  /** The value to resolve; null for an invalid cell, which `decode` reports. */
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

/** The items in the values, without repetition. */
async function distinct(values: readonly Json[], held: (value: Json) => readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  await inSlices(values, (value) => {
    for (const item of held(value)) found.add(item);
  });
  return [...found];
}

/** Splits items into batches, one per statement. */
function atOnce(items: readonly string[]): readonly string[][] {
  const count = Math.ceil(items.length / lookedUpAtOnce);
  return Array.from({ length: count }, (_, at) => items.slice(at * lookedUpAtOnce, (at + 1) * lookedUpAtOnce));
}

/** Whether a value has ids or labels, and none of them exists. */
function isNobody(value: Json, labels: Labels, known: KnownIds): boolean {
  const [ids, names] = [idsIn(value), labelsIn(value)];
  if (ids.length + names.length === 0) return false;
  return !ids.some((id) => known.has(id)) && !names.some((name) => labels.has(name));
}

/** Whether a value has to be resolved by label: an object with an id known here does not. */
function needsLabels(value: Json, known: KnownIds): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.some((item) => !idsIn(item).some((id) => known.has(id)));
}
