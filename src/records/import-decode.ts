/** Turns the rows of an import into cells: labels become ids, text becomes values, references are checked by the chunk. */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import type { FieldError } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem, type DecodeContext } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { isUuid } from '../lib/id.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Cell } from '../postgres/database.ts';
import { sql } from '../postgres/sql.ts';
import {
  decodeContext,
  decodeValues,
  fieldError,
  refuse,
  refuseFlood,
  unknownKey,
  writable,
  type Decoded,
} from './decode.ts';
import { fillNewRecord } from './defaults.ts';
import { dependenciesOf, misfit, parentsOf, type Dependency } from './dependents.ts';
import {
  ambiguous,
  idsIn,
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
} from './import-labels.ts';
import { lockVisible, missingReference, targetOf } from './references.ts';

export interface DecodedRow extends Decoded {
  readonly index: number;
  readonly id: string;
}

export class RowDecoder {
  readonly #call: Call;
  readonly #object: ObjectDef;
  readonly #lenient: boolean;
  readonly #context: DecodeContext;
  readonly #fields: ReadonlyMap<string, FieldDef>;
  readonly #ignored = new Set<string>();
  readonly #dependencies: readonly Dependency[];
  /** By field name and target. */
  readonly #labels = new Map<string, Labels>();
  /** Ids that exist and are visible, with the object of the record, or `user`. */
  readonly #known = new Map<string, string>();
  /** Whose each target of a DEPENDENT_RELATION is. */
  readonly #parents = new Map<Dependency, ReadonlyMap<string, string>>();
  #unknownOwners = 0;

  constructor(call: Call, object: ObjectDef, values: 'import' | 'strict') {
    this.#call = call;
    this.#object = object;
    this.#lenient = values === 'import';
    this.#context = decodeContext(call.model, object);
    this.#fields = writable(object, call.visibility);
    this.#dependencies = dependenciesOf(call.model, object);
  }

  ignored(): string[] {
    return [...this.#ignored];
  }

  /** Looks up what the rows point at: labels become ids, ids are locked against deletion. One statement per field and target. */
  async resolve(tx: WorkspaceTransaction, rows: readonly JsonObject[]): Promise<void> {
    for (const field of this.#fields.values()) {
      const targets = targetsOf(field);
      if (targets.length === 0) continue;
      const values = rows.map((row) => this.#asValue(field, row[field.name] ?? null));
      for (const target of targets) {
        const meant = targets.length === 1 ? values : values.filter((value) => mayMean(value, target));
        await this.#resolveTarget(tx, field, target, meant);
      }
    }
    for (const dependency of this.#dependencies) {
      const ids = [...this.#known].filter(([, target]) => target === dependency.target.name).map(([id]) => id);
      this.#parents.set(dependency, await parentsOf(this.#call, tx.run, this.#object, dependency, ids));
    }
  }

  async #resolveTarget(
    tx: WorkspaceTransaction,
    field: FieldDef,
    target: string,
    values: readonly Json[],
  ): Promise<void> {
    const labels = this.#lenient ? [...new Set(values.flatMap(labelsIn))] : [];
    const found =
      labels.length > 0 ? await resolveLabels(this.#call, tx.run, target, labels) : new Map<string, string>();
    this.#labels.set(`${field.name} ${target}`, found);
    const ids = [...new Set([...values.flatMap(idsIn), ...found.values()])].filter(
      (id) => isUuid(id) && !this.#known.has(id),
    );
    if (ids.length === 0) return;
    const users = sql`select id from ${this.#call.workspace.table('_users')} where id = any(${ids}::uuid[])`;
    const known = await tx.run(target === 'user' ? users : lockVisible(this.#call, target, ids));
    for (const [id] of known.rows) if (id) this.#known.set(id, target);
  }

  /** One row as cells, with defaults. Throws VALIDATION_ERROR with every problem, or PERMISSION_DENIED. */
  decode(row: JsonObject): Decoded {
    const { values, problems } = this.#lenient
      ? this.#lenientValues(row)
      : { values: row, problems: new Array<FieldError>() };
    const decoded = decodeValues(this.#object, values, this.#call.model, this.#call.visibility, problems);
    fillNewRecord(this.#call, this.#object, decoded, this.#context, problems);
    refuse([...problems, ...this.#brokenReferences(decoded)]);
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

  #lenientValues(row: JsonObject): { values: JsonObject; problems: FieldError[] } {
    refuseFlood(this.#object, this.#call.visibility, row);
    const values: JsonObject = {};
    const problems: FieldError[] = [];
    for (const [name, given] of Object.entries(row)) {
      const field = this.#fields.get(name);
      if (!field) {
        if (this.#isReadonly(name)) this.#ignored.add(name);
        else problems.push(unknownKey(this.#object, this.#call.visibility, name));
        continue;
      }
      try {
        const value = this.#lenientValue(field, given);
        if (value !== undefined) values[name] = value;
      } catch (error) {
        if (!(error instanceof FieldProblem)) throw error;
        problems.push(fieldError(name, error));
      }
    }
    return { values, problems };
  }

  /** The value for `decode`; undefined for an empty cell, whose place the default takes. */
  #lenientValue(field: FieldDef, given: Json): Json | undefined {
    const value = presentLinks(this.#asValue(field, given), this.#known);
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

  #asValue(field: FieldDef, given: Json): Json {
    if (!this.#lenient || typeof given !== 'string') return given;
    try {
      return fieldType(field.type).fromCell(given, field);
    } catch (error) {
      if (error instanceof FieldProblem) return given; // decode says what is wrong with it
      throw error;
    }
  }

  #isReadonly(name: string): boolean {
    const shown = (candidate: string) =>
      (this.#object.attributes.has(candidate) || this.#object.fields.some((field) => field.name === candidate)) &&
      this.#call.visibility.shows(this.#object.name, candidate);
    return shown(name) || (name.endsWith('_display') && shown(name.slice(0, -'_display'.length)));
  }
}

/** Whether a label is the only way to an id: an object whose id is known here does not need its own. */
function needsLabels(value: Json, known: KnownIds): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.some((item) => !idsIn(item).some((id) => known.has(id)));
}
