/** Sync positions of accounts: per part, such as a mail folder, the provider's number of the last item that was read. */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { sql, statement } from '../postgres/sql.ts';

/** How far a part of an account was read. */
export interface Position {
  /** The numbering that `lastUid` belongs to; when it changes, the provider has renumbered the part. */
  readonly uidValidity: string;
  /** The number of the last item that was read. */
  readonly lastUid: number;
}

/** The positions of the account's parts, by name. */
export async function readPositions(
  { workspace, model }: Call,
  integrationId: string,
): Promise<ReadonlyMap<string, Position>> {
  const query = sql`select f.name, f.uid_validity, f.last_uid from ${workspace.table('_mail_folders')} f
    where f.integration_id = ${integrationId}::uuid`;
  const [found] = await workspace.read(statement(query, model.version));
  return new Map(
    (found?.rows ?? []).map(([name, uidValidity, lastUid]) => [
      name ?? '',
      { uidValidity: uidValidity ?? '', lastUid: Number(lastUid) },
    ]),
  );
}

/** Stores a part's position, in the transaction that stores its items. A position never decreases within one numbering. */
export async function notePosition(
  { workspace }: Call,
  tx: WorkspaceTransaction,
  integrationId: string,
  name: string,
  { uidValidity, lastUid, remaining }: Position & { readonly remaining: number },
): Promise<void> {
  await tx.run(sql`insert into ${workspace.table('_mail_folders')} as f (integration_id, name, uid_validity, last_uid, remaining)
    values (${integrationId}::uuid, ${name}, ${uidValidity}::bigint, ${lastUid}::bigint, ${remaining}::bigint)
    on conflict (integration_id, name) do update set uid_validity = excluded.uid_validity, remaining = excluded.remaining,
      last_uid = case when f.uid_validity = excluded.uid_validity then greatest(f.last_uid, excluded.last_uid) else excluded.last_uid end`);
}
