/**
 * Fields that an import is to make, while it is tried: rows are read as if the fields were there, and what would stand in them is
 * remembered here, since no table has them yet.
 */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import type { KithError } from '../../../errors.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import type { ObjectDef } from '../../../model/model.ts';
import type { Decoded } from '../../writing/decode.ts';
import { comparedKeys } from '../../writing/match.ts';
import type { Refusals } from '../../writing/row-write.ts';
import { duplicateOf, takenKeys, uniqueKeys } from '../../writing/unique.ts';
import { isSet } from '../mapping/entry.ts';

interface Place {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  /** As its table is. */
  readonly object: ObjectDef;
}

interface Held {
  readonly byKey: Map<string, Set<string>>;
  readonly byRecord: Map<string, readonly string[]>;
}

/** The fields of one trial, with the values that its rows would have put into them. */
export class FieldsToCome {
  /** The object with them. */
  readonly object: ObjectDef;
  readonly #fields: ReadonlySet<FieldDef>;
  /** Of the fields by which records are told, or whose values are to be unique. */
  readonly #held: ReadonlyMap<FieldDef, Held>;

  constructor(object: ObjectDef, fields: readonly FieldDef[], matchedBy: readonly string[] = []) {
    this.object = object;
    this.#fields = new Set(fields);
    const telling = fields.filter(({ name, isUnique }) => isUnique || matchedBy.includes(name));
    this.#held = new Map(telling.map((field) => [field, { byKey: new Map(), byRecord: new Map() }]));
  }

  has(field: FieldDef): boolean {
    return this.#fields.has(field);
  }

  /** The records that would have this key of a field. */
  withKey(field: FieldDef, key: string): ReadonlySet<string> {
    return this.#held.get(field)?.byKey.get(key) ?? nobody;
  }

  /** Whether rows of this trial have made or changed the record, so that it is theirs. */
  isOwn(id: string): boolean {
    return this.#held.values().some(({ byRecord }) => byRecord.has(id));
  }

  /** Has `send` write the rows without these fields, and says which are refused, also for what their fields would refuse. */
  async write<Row extends Decoded & { readonly id: string }>(
    place: Place,
    rows: readonly Row[],
    isNew: boolean,
    send: (rows: readonly Row[]) => Promise<Refusals>,
  ): Promise<Refusals> {
    const refusals = new Map<string, KithError>();
    for (let rest = rows; rest.length > 0;) {
      const { free, clashing, later } = this.#sorted(rest);
      for (const [id, error] of await this.#clashes(place, clashing, isNew)) refusals.set(id, error);
      const stored = free.map((row) => this.#stored(row));
      const refused = await send(isNew ? stored : stored.filter(({ cells, links }) => cells.size + links.size > 0));
      for (const [id, error] of refused) refusals.set(id, error);
      for (const row of free) if (!refused.has(row.id)) this.#hold(row);
      rest = later;
    }
    return refusals;
  }

  /** Rows by whether a value of theirs that has to be unique is free, taken, or another row's before them, which may be refused. */
  #sorted<Row extends Decoded & { readonly id: string }>(rows: readonly Row[]) {
    const [free, later]: [Row[], Row[]] = [[], []];
    const clashing: { readonly row: Row; readonly field: FieldDef }[] = [];
    const wanted = new Set<string>();
    for (const row of rows) {
      const own = this.#uniqueKeys(row);
      const taken = own.find(({ field, key }) => this.withKey(field, key).difference(new Set([row.id])).size > 0);
      if (taken) clashing.push({ row, field: taken.field });
      else if (own.some(({ field, key }) => wanted.has(`${field.id} ${key}`))) later.push(row);
      else free.push(row);
      if (!taken) for (const { field, key } of own) wanted.add(`${field.id} ${key}`);
    }
    return { free, clashing, later };
  }

  #uniqueKeys(row: Decoded) {
    return uniqueKeys(this.object, row).filter(({ field }) => this.#fields.has(field));
  }

  /** A new record is told of the first field whose value is taken: those that are there stand before those that come. */
  async #clashes(
    { call, tx, object }: Place,
    clashing: readonly { readonly row: Decoded & { readonly id: string }; readonly field: FieldDef }[],
    isNew: boolean,
  ): Promise<Refusals> {
    const rows = clashing.map(({ row }) => row);
    const taken = isNew && rows.length > 0 ? await takenKeys(call, tx.run, object, rows) : undefined;
    return new Map(
      clashing.map(({ row, field }) => {
        const stored = uniqueKeys(object, row).find((one) => taken?.get(one.field)?.has(one.key));
        const other = stored && taken?.get(stored.field)?.get(stored.key);
        return [row.id, duplicateOf(call, this.object, stored?.field ?? field, other)];
      }),
    );
  }

  #stored<Row extends Decoded>(row: Row): Row {
    return { ...row, cells: new Map([...row.cells].filter(([field]) => !this.#fields.has(field))) };
  }

  /** Sets grow by a change, other values take the place of those before. */
  #hold(row: Decoded & { readonly id: string }): void {
    for (const [field, { byKey, byRecord }] of this.#held) {
      if (!row.cells.has(field)) continue;
      const before = byRecord.get(row.id) ?? [];
      if (!isSet(field)) for (const key of before) byKey.get(key)?.delete(row.id);
      const keys = comparedKeys(field, row);
      for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(row.id));
      byRecord.set(row.id, isSet(field) ? [...before, ...keys] : keys);
    }
  }
}

const nobody: ReadonlySet<string> = new Set();
