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
import { ambiguous, labelsIn, resolveLabels, takesLabels, withIds, type Labels } from './import-labels.ts';
import { lockVisible, missingReference } from './references.ts';

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
  /** By field name. */
  readonly #labels = new Map<string, Labels>();
  /** Ids that exist and are visible, of records and users. */
  readonly #known = new Set<string>();
  #unknownOwners = 0;

  constructor(call: Call, object: ObjectDef, values: 'import' | 'strict') {
    this.#call = call;
    this.#object = object;
    this.#lenient = values === 'import';
    this.#context = decodeContext(call.model, object);
    this.#fields = writable(object, call.visibility);
  }

  ignored(): string[] {
    return [...this.#ignored];
  }

  /** Looks up what the rows point at: labels become ids, ids are locked against deletion. One statement per field and target. */
  async resolve(tx: WorkspaceTransaction, rows: readonly JsonObject[]): Promise<void> {
    for (const field of this.#fields.values()) {
      const target = fieldType(field.type).target?.(field);
      if (!target) continue;
      const values = rows.map((row) => this.#asValue(field, row[field.name] ?? null));
      const labels = this.#lenient ? [...new Set(values.flatMap(labelsIn))] : [];
      const found =
        labels.length > 0 ? await resolveLabels(this.#call, tx.run, target, labels) : new Map<string, string>();
      this.#labels.set(field.name, found);
      const ids = [...new Set([...values.flatMap(idsIn), ...found.values()])].filter(
        (id) => isUuid(id) && !this.#known.has(id),
      );
      if (ids.length === 0) continue;
      const users = sql`select id from ${this.#call.workspace.table('_users')} where id = any(${ids}::uuid[])`;
      const known = await tx.run(target === 'user' ? users : lockVisible(this.#call, target.object, ids));
      for (const [id] of known.rows) if (id) this.#known.add(id);
    }
  }

  /** One row as cells, with defaults. Throws VALIDATION_ERROR with every problem, or PERMISSION_DENIED. */
  decode(row: JsonObject): Decoded {
    const { values, problems } = this.#lenient
      ? this.#lenientValues(row)
      : { values: row, problems: new Array<FieldError>() };
    const decoded = decodeValues(this.#object, values, this.#call.model, this.#call.visibility, problems);
    const now = new Date(this.#call.now).toISOString();
    fillNewRecord(this.#object, decoded, this.#context, this.#call.caller.workspaceUserId, now, problems);
    refuse([...problems, ...this.#brokenReferences(decoded)]);
    return decoded;
  }

  unknownOwners(): number {
    return this.#unknownOwners;
  }

  #brokenReferences(decoded: Decoded): FieldError[] {
    const me = this.#call.caller.workspaceUserId;
    const broken = (field: FieldDef, ids: readonly (string | null)[]) =>
      fieldType(field.type).target?.(field) !== undefined &&
      ids.some((id) => id !== null && id !== me && !this.#known.has(id.toLowerCase()));
    const fields = [
      ...[...decoded.cells].filter(([field, cells]) => broken(field, cells.slice(0, 1))),
      ...[...decoded.links].filter(([field, links]) =>
        broken(
          field,
          links.map((link) => link.target),
        ),
      ),
    ];
    return fields.map(([field]) => missingReference(field));
  }

  #lenientValues(row: JsonObject): { values: JsonObject; problems: FieldError[] } {
    refuseFlood(this.#object, row);
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
    const value = this.#asValue(field, given);
    if (value === null) return undefined;
    if (!takesLabels(field)) return value;
    const labels = this.#labels.get(field.name) ?? new Map<string, string>();
    const lost = labelsIn(value).filter((label) => (labels.get(label) ?? ambiguous) === ambiguous);
    const first = lost.find((label) => labels.has(label)) ?? lost[0];
    if (first === undefined || !needsLabels(value, this.#known)) return withIds(value, labels, this.#known);
    if (field.name === 'owner' && !labels.has(first)) {
      this.#unknownOwners++;
      return undefined;
    }
    throw new FieldProblem(
      labels.has(first)
        ? `names several records: ${JSON.stringify(first)}`
        : `names no record: ${JSON.stringify(first)}`,
    );
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

function idsIn(value: Json): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value.toLowerCase()] : [];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value === 'object' && value !== null && 'id' in value) return idsIn(value['id'] ?? null);
  return [];
}

/** Whether a label is the only way to an id: an object whose id is known here does not need its own. */
function needsLabels(value: Json, known: ReadonlySet<string>): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.some((item) => !idsIn(item).some((id) => known.has(id)));
}
