/** Moves rows of system tables about duplicates, as the registry of system tables declares. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { systemTables, type AtMerge } from '../../model/system-tables.ts';
import { identifier, sql } from '../../postgres/sql.ts';
import type { Ledger } from './ledger.ts';
import type { Moved } from './moved.ts';

function columnsThatAre(fate: AtMerge): readonly { readonly name: string; readonly column: string }[] {
  return systemTables.flatMap(({ name, records = {} }) =>
    Object.entries(records).flatMap(([column, at]) => (at === fate ? [{ name, column }] : [])),
  );
}

/** Moves the rows to the master. */
export async function moveRows(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  masterId: string,
  duplicateIds: readonly string[],
  ledger: Ledger,
): Promise<void> {
  for (const { name, column } of columnsThatAre('moved')) {
    const record = identifier(column);
    const { rows } = await tx.run(sql`select t.id, t.${record} from ${workspace.table(name)} t
      where t.${record} = any(${duplicateIds}::uuid[]) order by t.id for update`);
    if (rows.length === 0) continue;
    await tx.run(sql`update ${workspace.table(name)} set ${record} = ${masterId}::uuid
      where id = any(${rows.map(([id]) => id ?? '')}::uuid[])`);
    for (const [id, was] of rows) (ledger.of(was ?? '').rows[name] ??= []).push(id ?? '');
  }
}

/** Moves rows that still belong to the master back to the duplicate. */
export async function moveRowsBack(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  masterId: string,
  duplicateId: string,
  { rows }: Moved,
): Promise<void> {
  for (const { name, column } of columnsThatAre('moved')) {
    const ids = rows[name] ?? [];
    const record = identifier(column);
    if (ids.length > 0)
      await tx.run(sql`update ${workspace.table(name)} set ${record} = ${duplicateId}::uuid
        where id = any(${ids}::uuid[]) and ${record} = ${masterId}::uuid`);
  }
}

/** Frees values held by the duplicates alone, so that the master can take them. */
export async function freeRows(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  duplicateIds: readonly string[],
): Promise<void> {
  for (const { name, column } of columnsThatAre('freed'))
    await tx.run(sql`delete from ${workspace.table(name)} where ${identifier(column)} = any(${duplicateIds}::uuid[])`);
}
