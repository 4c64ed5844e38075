/** MANY_TO_MANY: a write gives the whole set, what is stored is the difference. */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { errors } from '../errors.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { Link } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import { identifier, join, sql, type Sql } from '../postgres/sql.ts';
import type { LinkChanges } from './bookkeeping.ts';
import { castType } from './columns.ts';
import { lockVisible, missingReference, targetOf } from './references.ts';

/** One link of one record, for a set-based insert. */
export interface StoredLink {
  readonly source: string;
  readonly target: string;
  readonly position: number;
  readonly junction: Link['junction'];
}

function linkTable(call: Call, field: FieldDef): Sql {
  return call.workspace.table(field.linkTable ?? '');
}

/**
 * Makes `links` the record's links of each field and says what changed. The record itself is locked or new. Throws
 * VALIDATION_ERROR for a new target that does not exist or is not visible.
 */
export async function replaceLinks(
  call: Call,
  tx: WorkspaceTransaction,
  recordId: string,
  links: ReadonlyMap<FieldDef, readonly Link[]>,
): Promise<LinkChanges> {
  const changes: Record<string, { added: string[]; removed: string[] }> = {};
  for (const [field, wanted] of links) {
    const table = linkTable(call, field);
    const stored = await tx.run(
      sql`select target_id from ${table} where source_id = ${recordId}::uuid order by target_id for update`,
    );
    const before = new Set(stored.rows.map(([target]) => target ?? ''));
    const targets = wanted.map((link) => link.target.toLowerCase());
    const added = targets.filter((target) => !before.has(target));
    const removed = [...before].filter((target) => !targets.includes(target));
    await lockTargets(call, tx, field, added);
    if (removed.length > 0) {
      await tx.run(
        sql`delete from ${table} where source_id = ${recordId}::uuid and target_id = any(${removed}::uuid[])`,
      );
    }
    await tx.run(
      insertLinks(
        call,
        field,
        wanted.map((link, position) => ({ ...link, source: recordId, position })),
      ),
    );
    if (added.length > 0 || removed.length > 0) changes[field.id] = { added, removed };
  }
  return changes;
}

async function lockTargets(
  call: Call,
  tx: WorkspaceTransaction,
  field: FieldDef,
  ids: readonly string[],
): Promise<void> {
  const target = targetOf(field, []);
  if (ids.length === 0 || target === undefined) return;
  const found = await tx.run(lockVisible(call, target, ids));
  if (found.rows.length < ids.length) {
    const problem = missingReference(field, target);
    throw errors.validation(problem.message, [problem]);
  }
}

/** Inserts links, or brings their junction values and order up to date. */
export function insertLinks(call: Call, field: FieldDef, links: readonly StoredLink[]): Sql {
  const junction = (field.junctionFields ?? []).flatMap((part) => fieldType(part.type).columns(part));
  const names = junction.map((column) => identifier(column.name));
  const lists = [
    sql`${links.map((link) => link.source)}::uuid[]`,
    sql`${links.map((link) => link.target)}::uuid[]`,
    sql`${links.map((link) => link.position)}::int[]`,
    ...junction.map((_, at) => sql`${links.map((link) => link.junction[at] ?? null)}::text[]`),
  ];
  const columns = [sql`source_id`, sql`target_id`, sql`position`, ...names];
  const values = [
    sql`l.source_id`,
    sql`l.target_id`,
    sql`l.position`,
    ...junction.map((column, at) => sql`${names[at] ?? sql``}::${castType(column)}`),
  ];
  const updates = [sql`position`, ...names].map((name) => sql`${name} = excluded.${name}`);
  return sql`insert into ${linkTable(call, field)} (${join(columns, ', ')})
    select ${join(values, ', ')} from unnest(${join(lists, ', ')}) l (${join(columns, ', ')})
    on conflict (source_id, target_id) do update set ${join(updates, ', ')}`;
}
