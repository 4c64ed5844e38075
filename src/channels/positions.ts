/** How far accounts are read: each of their parts, such as a folder of mail, by numbers that the provider gives. */
import type { Call } from '../access/call.ts';
import type { WorkspaceTransaction } from '../access/workspace.ts';
import { sql, statement } from '../postgres/sql.ts';

export interface Position {
  /** By which its numbers are told from those before: with another, the provider counts anew. */
  readonly uidValidity: string;
  /** The part is read up to here. */
  readonly lastUid: number;
}

/** What is known of the account's parts, by their names. */
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

/** Enters how far a part is read, in the transaction that keeps what was read. It never goes back while its numbers hold. */
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
