/** [decisions: Webhooks] Webhooks: create, change, pause, delete. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { mayDo } from '../../describe/endpoint.ts';
import { errors } from '../../errors.ts';
import { newId } from '../../lib/id.ts';
import { insertJob } from '../../jobs/table.ts';
import { instant, join, sql, type Sql } from '../../postgres/sql.ts';
import { followedChanges } from '../../records/following/changes.ts';
import { sightOf } from '../../records/following/deciding.ts';
import { readPosition } from '../../records/following/position.ts';
import { objectNamed } from '../../records/reading/named.ts';
import { webhookJob } from '../background/webhook-job.ts';
import { defineOperation } from '../door/operation.ts';
import { Choice } from '../inputs.ts';
import { ownWebhook, readWebhook, readWebhooks } from './stored-webhooks.ts';
import { checkAddress } from './webhook-address.ts';
import { webhookObjects } from './webhook-scope.ts';
import { sealedSecret } from './webhook-secrets.ts';
import { Secret, WebhookId, WebhookInput, WebhookOut } from './webhook-shapes.ts';

/** The most webhooks per organization. */
const most = 20;
const rotationMs = 86_400_000;

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  summary: 'Webhooks of the workspace, oldest first',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ data: Type.Array(Type.Object(WebhookOut)), total: Type.Integer() }),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Seeing webhooks',
  async run(call) {
    const data = await readWebhooks(call);
    return { data, total: data.length };
  },
});

export const getWebhook = defineOperation({
  id: 'webhook.get',
  summary: 'One webhook',
  input: Type.Object({ id: WebhookId }, { additionalProperties: false }),
  output: Type.Object(WebhookOut),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Seeing a webhook',
  run: (call, { id }) => readWebhook(call, id),
});

export const createWebhook = defineOperation({
  id: 'webhook.create',
  summary: 'Create a webhook that receives future events, as far as the caller may see them then',
  input: Type.Object(WebhookInput, { additionalProperties: false }),
  output: Type.Object({ ...WebhookOut, secret: Secret }),
  effect: 'write',
  cost: 'global',
  status: 201,
  adminOnly: 'Creating a webhook',
  async run(call, { url, description = null, events = [], objects = [] }) {
    const objectIds = objectIdsOf(call, objects);
    await checkAddress(call, url);
    const following = { limit: 1, objects: webhookObjects(call, objectIds) };
    const { position } = await followedChanges(call, 'now', following);
    const { place, sight, day } = readPosition(call.signer, position);
    const id = newId(call.now);
    return call.workspace.transaction(async (tx) => {
      const dataKey = await heldDataKey(call, tx);
      const { rows } = await tx.run(sql`select count(*) from ${call.workspace.table('_webhooks')}`);
      if (Number(rows[0]?.[0]) >= most) throw errors.validation(`An organization has at most ${most} webhooks`);
      const { secret, sealed } = sealedSecret(call, dataKey, id);
      await tx.run(sql`insert into ${call.workspace.table('_webhooks')} (id, url, description, event_types, object_ids, secret,
          creator_id, token_id, state, epoch, tx, history_id, sight, sight_day, created_at, updated_at)
        values (${id}::uuid, ${url}, ${description}, ${[...new Set(events)]}::text[], ${objectIds}::uuid[], ${sealed},
          ${call.me}::uuid, ${call.caller.tokenId}::uuid, 'active', ${place.epoch}::bigint, ${place.tx}::xid8,
          ${place.id}::bigint, ${sight}, ${day}, ${instant(call.now)}, ${instant(call.now)})`);
      await askFor(call, tx, id);
      return { ...(await readWebhook(call, id, tx)), secret };
    });
  },
});

export const updateWebhook = defineOperation({
  id: 'webhook.update',
  summary: 'Change, pause or resume a webhook; absent keys stay unchanged',
  input: Type.Object(
    {
      id: WebhookId,
      ...WebhookInput,
      url: Type.Optional(WebhookInput.url),
      state: Type.Optional(Choice(['active', 'paused'])),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(WebhookOut),
  effect: 'write',
  cost: 'global',
  isPartial: true,
  adminOnly: 'Changing a webhook',
  async run(call, { id, url, description, events, objects, state }) {
    const isPause = state === 'paused' && [url, description, events, objects].every((given) => given === undefined);
    const objectIds = objects && objectIdsOf(call, objects);
    if (url !== undefined) {
      await ownWebhook(call, id, 'change it');
      await checkAddress(call, url);
    }
    return call.workspace.transaction(async (tx) => {
      const webhook = isPause ? await readWebhook(call, id, tx) : await ownWebhook(call, id, 'change it', tx);
      const changes = [
        sql`updated_at = ${instant(call.now)}`,
        ...(url === undefined ? [] : [sql`url = ${url}`]),
        ...(description === undefined ? [] : [sql`description = ${description}`]),
        ...(events ? [sql`event_types = ${[...new Set(events)]}::text[]`] : []),
        ...(objectIds ? [sql`object_ids = ${objectIds}::uuid[]`, sql`sight = ${sightOfIds(call, objectIds)}`] : []),
        ...(state === 'active' ? goingOn(call) : []),
        ...(state === 'paused' ? [sql`state = 'paused'`, sql`reason = ${reasonOf(call, webhook.creator.id)}`] : []),
      ];
      await tx.run(sql`update ${call.workspace.table('_webhooks')} set ${join(changes, ', ')} where id = ${id}::uuid`);
      if (state === 'active') {
        const waiting = sql`webhook_id = ${id}::uuid and state = 'pending' and next_attempt_at > ${instant(call.now)}`;
        await tx.run(sql`update ${call.workspace.table('_webhook_deliveries')} set next_attempt_at = ${instant(call.now)}
          where ${waiting}`);
      }
      await askFor(call, tx, id);
      return readWebhook(call, id, tx);
    });
  },
});

export const deleteWebhook = defineOperation({
  id: 'webhook.delete',
  summary: 'Delete a webhook: nothing more is sent',
  input: Type.Object({ id: WebhookId }, { additionalProperties: false }),
  output: Type.Object({ deleted: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  adminOnly: 'Deleting a webhook',
  async run(call, { id }) {
    await call.workspace.transaction(async (tx) => {
      const webhook = await readWebhook(call, id, tx);
      await tx.run(sql`delete from ${call.workspace.table('_webhooks')} where id = ${webhook.id}::uuid`);
    });
    return { deleted: true };
  },
});

export const rotateWebhookSecret = defineOperation({
  id: 'webhook.rotateSecret',
  summary: 'Give a webhook a new secret; both sign for 24 hours',
  input: Type.Object({ id: WebhookId }, { additionalProperties: false }),
  output: Type.Object({ secret: Secret, previous_valid_until: Type.String({ format: 'date-time' }) }),
  effect: 'destructive',
  cost: 'global',
  adminOnly: 'Changing a webhook',
  async run(call, { id }) {
    const until = new Date(call.now + rotationMs).toISOString();
    return call.workspace.transaction(async (tx) => {
      const webhook = await ownWebhook(call, id, 'see its secret', tx);
      const { secret, sealed } = sealedSecret(call, await heldDataKey(call, tx), webhook.id);
      await tx.run(sql`update ${call.workspace.table('_webhooks')} set old_secret = secret, secret = ${sealed},
        old_secret_until = ${until}::timestamptz, updated_at = ${instant(call.now)} where id = ${webhook.id}::uuid`);
      return { secret, previous_valid_until: until };
    });
  },
});

/** The organization's data key. Locks its row, so that concurrent requests count webhooks one after the other. */
async function heldDataKey(call: Call, tx: WorkspaceTransaction): Promise<string> {
  const { rows } = await tx.run(sql`select data_key from ${call.workspace.table('_organization')} for no key update`);
  return rows[0]?.[0] ?? '';
}

/** Settings that resume a webhook from its position, in the name of the current caller and token. */
function goingOn(call: Call): readonly Sql[] {
  return [
    sql`state = 'active', reason = null, failures = 0, failing_since = null, rest_until = null`,
    sql`token_id = ${call.caller.tokenId}::uuid`,
  ];
}

function reasonOf({ me }: Call, creatorId: string): string | null {
  return me === creatorId ? null : 'Paused by another admin';
}

/** Enqueues the webhook's job. */
async function askFor(call: Call, tx: WorkspaceTransaction, id: string): Promise<void> {
  await tx.run(insertJob(call.model, webhookJob(id), call.now));
  call.wake(call.now);
}

/** The ids of the objects. Throws INVALID_OBJECT, and VALIDATION_ERROR for an object that has no events. */
function objectIdsOf({ model, visibility }: Call, names: readonly string[]): readonly string[] {
  const objects = names.map((name) => objectNamed(model, visibility, name));
  const refused = objects.find(({ name }) => !mayDo(visibility, 'view', name));
  if (refused) throw errors.permissionDenied(`Your role may not view ${refused.name}`);
  return [...new Set(objects.map(({ id }) => id))];
}

/** A digest of what the caller sees of the objects, by which a change of it is noticed. */
function sightOfIds(call: Call, ids: readonly string[]): string {
  return sightOf(
    call,
    webhookObjects(call, ids).map(({ object }) => object),
  );
}
