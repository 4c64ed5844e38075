/**
 * Fields that an import will create, during its trial: rows are decoded as if the fields existed, and their values
 * are kept in memory, since no table has them yet.
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

interface TrialScope {
  readonly call: Call;
  readonly tx: WorkspaceTransaction;
  /** As stored, without the new fields. */
  readonly object: ObjectDef;
}

interface HeldKeys {
  readonly byKey: Map<string, Set<string>>;
  readonly byRecord: Map<string, readonly string[]>;
}

/** The new fields of a trial, with the values that its rows would store in them. */
export class FieldsToCome {
  /** The object including the new fields. */
  readonly object: ObjectDef;
  readonly #fields: ReadonlySet<FieldDef>;
  /** Keys of the new fields that records are matched by or that are unique. */
  readonly #held: ReadonlyMap<FieldDef, HeldKeys>;

  constructor(object: ObjectDef, fields: readonly FieldDef[], matchedBy: readonly string[] = []) {
    this.object = object;
    this.#fields = new Set(fields);
    const keyFields = fields.filter(({ name, isUnique }) => isUnique || matchedBy.includes(name));
    this.#held = new Map(keyFields.map((field) => [field, { byKey: new Map(), byRecord: new Map() }]));
  }

  has(field: FieldDef): boolean {
    return this.#fields.has(field);
  }

  /** The records of the trial with this key of a field. */
  withKey(field: FieldDef, key: string): ReadonlySet<string> {
    return this.#held.get(field)?.byKey.get(key) ?? nobody;
  }

  /** Whether rows of this trial have created or changed the record. */
  isOwn(id: string): boolean {
    return this.#held.values().some(({ byRecord }) => byRecord.has(id));
  }

  /** Writes the rows without these fields by `send`, and returns the refusals, including those for the new fields. */
  async write<Row extends Decoded & { readonly id: string }>(
    scope: TrialScope,
    rows: readonly Row[],
    isNew: boolean,
    send: (rows: readonly Row[]) => Promise<Refusals>,
  ): Promise<Refusals> {
    const refusals = new Map<string, KithError>();
    for (let rest = rows; rest.length > 0;) {
      const { free, clashing, later } = this.#sorted(rest);
      for (const [id, error] of await this.#clashes(scope, clashing, isNew)) refusals.set(id, error);
      const stored = free.map((row) => this.#stored(row));
      const refused = await send(isNew ? stored : stored.filter(({ cells, links }) => cells.size + links.size > 0));
      for (const [id, error] of refused) refusals.set(id, error);
      for (const row of free) if (!refused.has(row.id)) this.#hold(row);
      rest = later;
    }
    return refusals;
  }

  /** Sorts rows by their unique keys: free, taken, or the same as an earlier row's, which may still be refused. */
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

  /** The refusals of taken keys; for a new record, of its first field in order, existing fields first. */
  async #clashes(
    { call, tx, object }: TrialScope,
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

  /** A change adds to a set, and replaces any other value. */
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
