/** Webhooks as their managers see them. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { utc } from '../../fields/members.ts';
import { isUuid } from '../../lib/id.ts';
import { objectWithId } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { sql, statement, type Sql } from '../../postgres/sql.ts';

/** A webhook in answers. */
export interface ShownWebhook {
  readonly id: string;
  readonly state: string;
  readonly creator: { readonly id: string; readonly display: string | null };
  readonly objects: readonly string[];
}

/** All webhooks of the organization, oldest first. */
export async function readWebhooks(call: Call): Promise<readonly ShownWebhook[]> {
  const query = sql`${select(call)} order by w.created_at, w.id`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  return (found?.rows ?? []).map((row) => shown(call, row));
}

/** The webhook with that id, read in `tx` if it was written there. Throws RECORD_NOT_FOUND. */
export async function readWebhook(call: Call, id: string, tx?: WorkspaceTransaction): Promise<ShownWebhook> {
  if (!isUuid(id)) throw errors.webhookNotFound(id);
  const query = sql`${select(call)} where w.id = ${id}::uuid`;
  const found = tx ? await tx.run(query) : (await call.workspace.read(statement(query, call.model.version)))[0];
  const [row] = found?.rows ?? [];
  if (!row) throw errors.webhookNotFound(id);
  return shown(call, row);
}

/** The caller's own webhook; only its creator may do `what`. Throws RECORD_NOT_FOUND, PERMISSION_DENIED. */
export async function ownWebhook(
  call: Call,
  id: string,
  what: string,
  tx?: WorkspaceTransaction,
): Promise<ShownWebhook> {
  const webhook = await readWebhook(call, id, tx);
  if (webhook.creator.id === call.me) return webhook;
  throw errors.permissionDenied(
    `Only who created the webhook may ${what}: it tells what that user sees. Other admins may pause or delete it`,
  );
}

function select({ workspace }: Call): Sql {
  return sql`select w.id, w.url, w.description, array_to_json(w.event_types)::text, array_to_json(w.object_ids)::text, w.state,
      w.reason, w.creator_id, u.name, (select count(*) from ${workspace.table('_webhook_deliveries')} d
        where d.webhook_id = w.id and d.state = 'pending'),
      w.last_success_at, w.last_error, w.last_error_at, w.created_at, w.updated_at
    from ${workspace.table('_webhooks')} w left join ${workspace.table('_users')} u on u.id = w.creator_id`;
}

/** The webhook in answers. Times and counts of deliveries reveal what the creator sees, so only the creator gets them. */
function shown({ model, me }: Call, row: Row) {
  const [id, url, description, types, objects, state, reason, creatorId, creator, pending, ...rest] = row;
  const [successAt, error, errorAt, createdAt, updatedAt] = rest;
  const time = (text: string | null | undefined) => (text ? utc(text) : null);
  const isOwn = creatorId === me;
  return {
    id: id ?? '',
    url,
    description,
    events: JSON.parse(types ?? '[]') as string[],
    objects: (JSON.parse(objects ?? '[]') as string[]).flatMap((one) => objectWithId(model, one)?.name ?? []),
    state: state ?? '',
    reason,
    creator: { id: creatorId ?? '', display: creator ?? null },
    pending: isOwn ? Number(pending) : null,
    last_success_at: isOwn ? time(successAt) : null,
    last_error: isOwn ? error : null,
    last_error_at: isOwn ? time(errorAt) : null,
    created_at: time(createdAt),
    updated_at: time(updatedAt),
  };
}
