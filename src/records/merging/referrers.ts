/** The references to duplicates: found, locked, and searched again until none was added meanwhile. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
import { identifier, join, sql } from '../../postgres/sql.ts';
import { junctionColumns } from '../writing/columns.ts';
import { leadsTo, linksTo, pointersTo, type LinkField, type Pointer } from './pointers.ts';
import { lockAll, type RecordsByObject } from './take-turns.ts';

/** Limit of records, and of links of a field, that refer to the duplicates of one merge. */
const mostOfField = 100_000;

/** Retries before the merge gives up. */
const mostRounds = 10;

export interface LinkRow {
  readonly source: string;
  /** The duplicate. */
  readonly target: string;
  readonly position: number;
  readonly junction: readonly Cell[];
}

/** References to duplicates, except from duplicates; may include the master's. */
export interface Referrers {
  /** By relation, the referring records with the duplicate that each names. */
  readonly pointed: readonly {
    readonly pointer: Pointer;
    readonly rows: readonly (readonly [id: string, to: string])[];
  }[];
  readonly linked: readonly { readonly field: LinkField; readonly rows: readonly LinkRow[] }[];
}

/** A new referrer was found while the known ones were being locked. */
class CameBetween extends Error {}

/**
 * Locks master, duplicates and all their referrers, and returns the referrers. Throws CONFLICT, and MERGE_FAILED for
 * too many.
 */
export async function lockReferrers(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  masterId: string,
  duplicateIds: readonly string[],
): Promise<Referrers> {
  const merged = [masterId, ...duplicateIds];
  for (let round = 0; round < mostRounds; round++) {
    const seen = recordsOf(await referrersOf(call, tx, object, duplicateIds));
    try {
      return await tx.attempt(async () => {
        await lockAll(call, tx, seen, object, merged);
        const found = await referrersOf(call, tx, object, duplicateIds);
        if (!covers(seen, recordsOf(found), merged)) throw new CameBetween();
        return found;
      });
    } catch (error) {
      if (!(error instanceof CameBetween)) throw error;
    }
  }
  throw errors.conflict('Others write to these records all the time: try again');
}

async function referrersOf(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  duplicateIds: readonly string[],
): Promise<Referrers> {
  const { workspace, model } = call;
  const pointed: Referrers['pointed'][number][] = [];
  for (const pointer of pointersTo(model, object)) {
    const { rows } =
      await tx.run(sql`select t.id, t.${identifier(pointer.column)} from ${workspace.table(pointer.source.table)} t
      where ${leadsTo(pointer, object, duplicateIds)} and t.id <> all(${duplicateIds}::uuid[])
      order by t.id limit ${mostOfField + 1}::int`);
    refuseTooMany(rows.length, pointer.source);
    if (rows.length > 0) pointed.push({ pointer, rows: rows.map(([id, to]) => [id ?? '', to ?? ''] as const) });
  }
  const linked: Referrers['linked'][number][] = [];
  for (const field of linksTo(model, object)) {
    const rows = await linkRows(call, tx, field, duplicateIds);
    refuseTooMany(rows.length, field.source);
    if (rows.length > 0) linked.push({ field, rows });
  }
  return { pointed, linked };
}

async function linkRows(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  { field, linkTable }: LinkField,
  duplicateIds: readonly string[],
): Promise<readonly LinkRow[]> {
  const cells = junctionColumns(field).map(({ name }) => sql`l.${identifier(name)}::text`);
  const { rows } =
    await tx.run(sql`select ${join([sql`l.source_id`, sql`l.target_id`, sql`l.position`, ...cells], ', ')}
      from ${workspace.table(linkTable)} l
      where l.target_id = any(${duplicateIds}::uuid[]) and l.source_id <> all(${duplicateIds}::uuid[])
      order by l.source_id, l.target_id limit ${mostOfField + 1}::int`);
  return rows.map(([source, target, position, ...junction]) => ({
    source: source ?? '',
    target: target ?? '',
    position: Number(position),
    junction,
  }));
}

function refuseTooMany(count: number, { name }: ObjectDef): void {
  if (count <= mostOfField) return;
  const most = mostOfField.toLocaleString('en');
  throw errors.mergeFailed(`More than ${most} records of ${name} lead to the duplicates: merge fewer at once`);
}

/** The records that refer to the duplicates. */
function recordsOf({ pointed, linked }: Referrers): RecordsByObject {
  const records = new Map<ObjectDef, Set<string>>();
  const add = (object: ObjectDef, ids: readonly string[]) => {
    const known = records.get(object) ?? new Set();
    for (const id of ids) known.add(id);
    records.set(object, known);
  };
  for (const { pointer, rows } of pointed)
    add(
      pointer.source,
      rows.map(([id]) => id),
    );
  for (const { field, rows } of linked)
    add(
      field.source,
      rows.map(({ source }) => source),
    );
  return records;
}

function covers(locked: RecordsByObject, found: RecordsByObject, merged: readonly string[]): boolean {
  const known = new Set(merged);
  return [...found].every(([object, ids]) =>
    [...ids].every((id) => known.has(id) || locked.get(object)?.has(id) === true),
  );
}
