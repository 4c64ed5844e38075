/**
 * Imports lines of a file as records: created under their own ids and times where missing, changed where different,
 * left where equal. So a file that is imported twice, or was interrupted, ends in the same records.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes, type KithError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import { isUuid } from '../../lib/id.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql } from '../../postgres/sql.ts';
import { failureOf, writeInGroups } from '../import/rows.ts';
import type { RowFailure } from '../import/row-failure.ts';
import { lockForChange, putRowsBack } from '../writing/change-rows.ts';
import { createEach } from '../writing/create-rows.ts';
import { readStored, writingOf, type Decoded } from '../writing/decode.ts';
import type { Refusals } from '../writing/row-write.ts';
import { storedFields, targetsOf } from './fields.ts';
import { planLines } from './lines.ts';
import { isPerson, known, namingOf, peopleOf, type Naming } from './names.ts';
import { presentAmong, without, type Reference } from './present.ts';

/** Lines of one object, in one of the two passes over its file. */
export interface Lines {
  readonly object: ObjectDef;
  readonly lines: readonly Json[];
  /** Fields that lead to records missing before the second pass. */
  readonly later: ReadonlySet<string>;
  /** The first creates and changes records without those fields; the second sets them. */
  readonly pass: 'first' | 'second';
}

/** The results of the lines; each is counted once. */
export interface TakenIn {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failures: readonly RowFailure[];
  /** Unknown addresses, which are replaced by the caller. */
  readonly strangers: readonly string[];
  /** References to missing records. */
  readonly lost: number;
}

interface Wanted {
  readonly index: number;
  readonly id: string;
  readonly line: JsonObject;
  /** The stored record; undefined without one. */
  readonly stored: JsonObject | undefined;
  /** Fields that differ from the stored record. */
  readonly fields: readonly FieldDef[];
}

interface Row extends Decoded {
  readonly index: number;
  readonly id: string;
  readonly isNew: boolean;
}

/** Writes what it can of the lines in the transaction, and returns their results. */
export async function takeInLines(call: Call, tx: WorkspaceTransaction, given: Lines): Promise<TakenIn> {
  const work = new TakingIn(call, tx, given);
  const naming = namingOf(call, given.object, await peopleOf(call, (query) => tx.run(query)));
  const wanted = await work.compared(naming, await work.readLines(naming));
  const kept = await work.withoutLost(wanted);
  const changed = kept.filter(({ fields }) => fields.length > 0);
  const written = await work.write(naming, changed);
  return { ...written, unchanged: kept.length - changed.length, ...work.results() };
}

class TakingIn {
  readonly #call: Call;
  readonly #tx: WorkspaceTransaction;
  readonly #given: Lines;
  readonly #fields: readonly FieldDef[];
  readonly #failures: RowFailure[] = [];
  readonly #strangers = new Set<string>();
  #lost = 0;

  constructor(call: Call, tx: WorkspaceTransaction, given: Lines) {
    this.#call = call;
    this.#tx = tx;
    this.#given = given;
    const { object, later, pass } = given;
    const isOfPass = ({ name }: FieldDef) => later.has(name) === (pass === 'second') || name === 'updated_at';
    this.#fields = storedFields(object).filter((field) => field.type !== 'ID' && isOfPass(field));
  }

  results(): Pick<TakenIn, 'failures' | 'strangers' | 'lost'> {
    const failures = this.#failures.toSorted((a, b) => a.index - b.index);
    return { failures, strangers: [...this.#strangers], lost: this.#lost };
  }

  /** The lines by record id, with the caller in place of unknown people. */
  async readLines(naming: Naming): Promise<ReadonlyMap<string, { readonly index: number; readonly line: JsonObject }>> {
    const lines = new Map<string, { readonly index: number; readonly line: JsonObject }>();
    const names = new Set(storedFields(this.#given.object).map(({ name }) => name));
    for (const [index, line] of this.#given.lines.entries()) {
      if (sliceIsOver()) await nextSlice();
      const id = isObject(line) ? line['id'] : undefined;
      if (!isObject(line) || !isUuid(id)) this.#fail(index, errors.validation('The line is no record with an id'));
      else if (lines.has(id.toLowerCase())) this.#fail(index, errors.validation(`The record ${id} is there twice`));
      else {
        const other = Object.keys(line).find((name) => !names.has(name));
        if (other === undefined) lines.set(id.toLowerCase(), { index, line: this.#withPeople(line, naming) });
        else this.#fail(index, errors.validation(`${other} is no field of ${this.#given.object.name}`));
      }
    }
    return lines;
  }

  #withPeople(line: JsonObject, { people }: Naming): JsonObject {
    const me = people.addresses.get(this.#call.me) ?? null;
    const strangers = this.#fields.filter((field) => {
      const value = isPerson(field) ? line[field.name] : null;
      if (typeof value !== 'string' || people.ids.has(value.toLowerCase())) return false;
      this.#strangers.add(value);
      return true;
    });
    return { ...line, ...Object.fromEntries(strangers.map(({ name }) => [name, me])) };
  }

  /** The differences of each line from its record. In the second pass, records missing then have failed before. */
  async compared(
    naming: Naming,
    lines: ReadonlyMap<string, { readonly index: number; readonly line: JsonObject }>,
  ): Promise<Wanted[]> {
    const ids = [...lines.keys()];
    const plan = planLines(this.#call, naming, ids);
    const there = new Map<string, JsonObject>();
    for (const row of (await this.#tx.run(plan.query)).rows) {
      if (sliceIsOver()) await nextSlice();
      const line = plan.line(row);
      if (typeof line['id'] === 'string') there.set(line['id'], line);
    }
    const hidden = await this.#hidden(ids.filter((id) => !there.has(id)));
    const wanted: Wanted[] = [];
    for (const [id, { index, line }] of lines) {
      if (sliceIsOver()) await nextSlice();
      const stored = there.get(id);
      if (!stored && this.#given.pass === 'second') continue;
      if (hidden.has(id))
        this.#fail(index, errors.conflict(`The record ${id} is in the trash here: restore or purge it`));
      else {
        wanted.push({ index, id, line, stored, fields: this.#differing(line, stored) });
      }
    }
    return wanted;
  }

  /** Those of the ids that exist although the caller does not see them. */
  async #hidden(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const table = this.#call.workspace.table(this.#given.object.table);
    const { rows } = await this.#tx.run(sql`select t.id from ${table} t where t.id = any(${ids}::uuid[])`);
    return new Set(rows.map(([id]) => id ?? ''));
  }

  /** Drops references to missing records. */
  async withoutLost(wanted: readonly Wanted[]): Promise<Wanted[]> {
    const of = ({ line }: Wanted, field: FieldDef): Reference => ({ field, value: line[field.name] ?? null });
    const leading = ({ fields }: Wanted) => fields.filter((field) => targetsOf(field).length > 0);
    const references = wanted.flatMap((each) => leading(each).map((field) => of(each, field)));
    const present = await presentAmong(this.#call, this.#tx, references);
    return wanted.map((each) => {
      const found = leading(each).map((field) => [field.name, without(of(each, field), present)] as const);
      const lost = found.filter(([, { lost: some }]) => some > 0);
      for (const [, { lost: some }] of lost) this.#lost += some;
      const line = { ...each.line, ...Object.fromEntries(lost.map(([name, { value }]) => [name, value])) };
      return { ...each, line, fields: this.#differing(line, each.stored) };
    });
  }

  #differing(line: JsonObject, stored: JsonObject | undefined): readonly FieldDef[] {
    return stored ? this.#fields.filter((field) => differs(field, line, stored)) : this.#fields;
  }

  async write(naming: Naming, wanted: readonly Wanted[]): Promise<Pick<TakenIn, 'created' | 'updated'>> {
    const rows: Row[] = [];
    for (const { index, id, stored, line, fields } of wanted) {
      if (sliceIsOver()) await nextSlice();
      const mistakes = new Mistakes();
      const decoded = await this.#decoded(naming, line, fields, mistakes);
      const error = mistakes.error();
      if (error) this.#fail(index, error);
      else rows.push({ ...decoded, index, id, isNew: !stored });
    }
    const { object } = this.#given;
    const written = async (isNew: boolean, write: (group: readonly Row[]) => Promise<Refusals>) => {
      const some = rows.filter((row) => row.isNew === isNew);
      const outcome = await writeInGroups(this.#call, object, some, write);
      for (const { index, error } of outcome.refused) this.#fail(index, error);
      return outcome.written.length;
    };
    return {
      created: await written(true, (group) => createEach(this.#call, this.#tx, object, group)),
      updated: await written(false, (group) => this.#change(group)),
    };
  }

  /** `updated_at` is set like other values; otherwise a change would have the current time. */
  async #decoded(naming: Naming, line: JsonObject, fields: readonly FieldDef[], mistakes: Mistakes): Promise<Decoded> {
    const decoded: Decoded = { cells: new Map(), links: new Map(), byStep: new Set() };
    const { context } = writingOf(this.#call, this.#given.object);
    const times = this.#fields.filter(({ name }) => name === 'updated_at');
    for (const field of new Set([...fields, ...times])) {
      const value = known(field, line[field.name] ?? null, line, naming);
      await readStored(field, value, context, decoded, mistakes);
    }
    return decoded;
  }

  async #change(rows: readonly (Decoded & { readonly id: string })[]): Promise<Refusals> {
    const ids = rows.map(({ id }) => id);
    const refused = await lockForChange(this.#call, this.#tx, this.#given.object, ids);
    const allowed = rows.filter(({ id }) => !refused.has(id));
    return new Map([...refused, ...(await putRowsBack(this.#call, this.#tx, this.#given.object, allowed))]);
  }

  #fail(index: number, error: KithError): void {
    this.#failures.push(failureOf(index, error));
  }
}

/** Whether the line's value differs from the record's; a line without the field clears it. */
function differs(field: FieldDef, line: JsonObject, stored: JsonObject): boolean {
  const none: Json = fieldType(field.type).links ? [] : null;
  const text = (of: JsonObject) => JSON.stringify(of[field.name] ?? none);
  return text(line) !== text(stored);
}
