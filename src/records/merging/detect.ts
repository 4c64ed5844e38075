/** Finds possible duplicates: records that share a value of a field, directly or through others. [spec: Duplicates] */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { join, sql, statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { comparisonOf, type Comparison } from './compared-fields.ts';

/** The number of newest records compared. */
const mostCompared = 5_000;

/** Records per read: texts of a thousand characters each take a few megabytes. */
const readAtOnce = 500;

/** Values in a group's reasons. */
const mostReasons = 20;

export interface DuplicateGroup {
  /** Newest first. */
  readonly ids: readonly string[];
  /** Values shared by several of them, as `field: 'value'`. */
  readonly reasons: readonly string[];
}

export interface Detected {
  /** Groups with the newest records first. */
  readonly groups: readonly DuplicateGroup[];
  readonly scanned: number;
  /** Whether there are more records than were compared. */
  readonly isCut: boolean;
}

/** Compares the newest records by the fields; `normalize` converts phone numbers to E.164. */
export async function detectDuplicates(
  call: Call,
  object: ObjectDef,
  fields: readonly FieldDef[],
  normalize: boolean,
): Promise<Detected> {
  const comparisons = fields.map((field) => comparisonOf(call, object, field, normalize));
  const groups = new Components();
  let scanned = 0;
  let last: Row | undefined;
  for (let isMore = true; isMore;) {
    const rows = await readNext(call, object, comparisons, last, Math.min(readAtOnce, mostCompared + 1 - scanned));
    isMore = rows.length === readAtOnce;
    for (const row of rows) {
      if (scanned === mostCompared) return { groups: groups.found(), scanned, isCut: true };
      if (sliceIsOver()) await nextSlice();
      scanned++;
      compare(comparisons, row, groups);
    }
    last = rows.at(-1);
  }
  return { groups: groups.found(), scanned, isCut: false };
}

function compare(comparisons: readonly Comparison[], row: Row, groups: Components): void {
  const id = row[0] ?? '';
  let at = 2;
  for (const [place, comparison] of comparisons.entries()) {
    for (const { key, text } of comparison.values(row, at))
      groups.add(id, `${place} ${key}`, `${comparison.field.name}: '${text}'`);
    at += comparison.columns.length;
  }
}

/** Rows of id, time of creation, and compared values, after `last`, newest first. */
async function readNext(
  call: Call,
  object: ObjectDef,
  comparisons: readonly Comparison[],
  last: Row | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const columns = [sql`r.id`, sql`r.created_at`, ...comparisons.flatMap((comparison) => comparison.columns)];
  const behind = last
    ? sql`and (r.created_at, r.id) < (${last[1] ?? null}::timestamptz, ${last[0] ?? null}::uuid)`
    : sql``;
  const query = sql`select ${join(columns, ', ')} from ${call.workspace.table(object.table)} r
    where ${visibleRow(objectScope(call, object, 'r'))} ${behind} order by r.created_at desc, r.id desc limit ${limit}::int`;
  return (await call.workspace.readOnPlainClient(statement(query, call.model.version))).rows;
}

/** Connected components of records that share values (union-find). */
class Components {
  /** In order of arrival. */
  readonly #members = new Set<string>();
  /** A record's parent in its group's tree; absent for the root. */
  readonly #parents = new Map<string, string>();
  /** The first record with each value, and the reason to report once a second has it. */
  readonly #first = new Map<string, string>();
  readonly #reasons = new Map<string, { readonly id: string; readonly text: string }>();

  add(id: string, value: string, text: string): void {
    this.#members.add(id);
    const first = this.#first.get(value);
    if (first === undefined) this.#first.set(value, id);
    else if (first !== id) {
      if (!this.#reasons.has(value)) this.#reasons.set(value, { id, text });
      const [one, other] = [this.#root(first), this.#root(id)];
      if (one !== other) this.#parents.set(other, one);
    }
  }

  found(): readonly DuplicateGroup[] {
    const groups = Map.groupBy(this.#members, (id) => this.#root(id));
    const reasons = Map.groupBy(this.#reasons.values(), ({ id }) => this.#root(id));
    return [...groups].flatMap(([root, ids]) =>
      ids.length < 2 ? [] : [{ ids, reasons: (reasons.get(root) ?? []).slice(0, mostReasons).map(({ text }) => text) }],
    );
  }

  #root(id: string): string {
    let at = id;
    for (let next = this.#parents.get(at); next !== undefined; next = this.#parents.get(at)) {
      const above = this.#parents.get(next);
      if (above !== undefined) this.#parents.set(at, above);
      at = next;
    }
    return at;
  }
}
