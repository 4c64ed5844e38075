/** [decisions: Webhooks] Deliveries of a webhook: list, replay, test. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import type { Member, Reading } from '../../fields/field-type.ts';
import { datetimeMember, member, numberMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { parseInstant } from '../../fields/local-time.ts';
import { newId } from '../../lib/id.ts';
import { insertJob } from '../../jobs/table.ts';
import { jsonString } from '../../lib/json.ts';
import { objectWithId } from '../../model/model.ts';
import { instant, sql, statement, type Sql } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { send } from '../../webhooks/send.ts';
import { webhookJob } from '../background/webhook-job.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Choice, Cursor, recordPage } from '../inputs.ts';
import { PageOf } from '../outputs.ts';
import { ownWebhook } from './stored-webhooks.ts';
import { secretsIn, selectSecrets } from './webhook-secrets.ts';
import { DeliveryOut, deliveryStates, WebhookId } from './webhook-shapes.ts';

const latestFirst = { ...descendingBy(sql`d.seq`, 'bigint'), isCounter: true } as const;

export const listDeliveries = defineOperation({
  id: 'webhook.deliveries',
  summary: 'Deliveries of a webhook of the caller, sent and pending, latest first',
  input: Type.Object(
    { id: WebhookId, state: Type.Optional(Choice([...deliveryStates])), cursor: Cursor, limit: recordPage.input },
    { additionalProperties: false },
  ),
  output: PageOf(DeliveryOut),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Seeing a webhook',
  async run(call, { id, state, cursor, limit }) {
    const { workspace } = call;
    const webhook = await ownWebhook(call, id, 'see what was sent');
    const table = workspace.table('_webhook_deliveries');
    const plan = planPage(
      call,
      {
        rows: { row: sql`d`, table, from: sql`${table} d` },
        visible: sql`d.webhook_id = ${webhook.id}::uuid`,
        filters: state === undefined ? [] : [sql`d.state = ${state}`],
        order: latestFirst,
        identity: ['webhook deliveries', webhook.id, state ?? ''],
        selection: delivery(call),
      },
      { limit: recordPage.of(call, limit), cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});

function delivery(call: Call) {
  return selectionOf([
    reading(sql`d.id`, quotedMember('id')),
    reading(sql`d.event_id`, quotedMember('event_id')),
    reading(sql`d.event_type`, quotedMember('event_type')),
    objectReading(call),
    reading(sql`d.record_id`, quotedMember('record_id')),
    reading(sql`d.state`, quotedMember('state')),
    reading(sql`d.attempts`, numberMember('attempts')),
    reading(sql`d.status`, numberMember('status')),
    reading(sql`d.error`, textMember('error')),
    reading(sql`d.created_at`, datetimeMember('created_at')),
    reading(sql`d.last_attempt_at`, datetimeMember('last_attempt_at')),
    reading(sql`case when d.state = 'pending' then d.next_attempt_at end`, datetimeMember('next_attempt_at')),
    reading(sql`d.finished_at`, datetimeMember('finished_at')),
  ]);
}

function objectReading({ model }: Call): Reading {
  const name = (id: string) => objectWithId(model, id)?.name;
  const nameMember: Member = member(
    'object_name',
    (id) => {
      const found = name(id);
      return found === undefined ? 'null' : jsonString(found);
    },
    (id) => name(id) ?? '',
  );
  return reading(sql`d.object_id`, { ...nameMember, mostBytes: 1_000 });
}

/** The most deliveries per replay. */
const mostReplayed = 1_000;

export const replayDeliveries = defineOperation({
  id: 'webhook.replay',
  summary: 'Replay deliveries of a webhook of the caller, with the same event ids',
  input: Type.Object(
    {
      id: WebhookId,
      delivery_ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: mostReplayed })),
      since: Type.Optional(
        Type.String({ description: 'In place of ids: all that were planned since that time, the oldest first' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    replayed: Type.Integer(),
    has_more: Type.Boolean({ description: 'Whether there are more than 1,000 since that time' }),
  }),
  effect: 'write',
  cost: 'global',
  adminOnly: 'Changing a webhook',
  async run(call, { id, delivery_ids: ids, since }) {
    if ((ids === undefined) === (since === undefined))
      throw errors.validation('Give either delivery_ids or since: what is to be sent again');
    const table = call.workspace.table('_webhook_deliveries');
    const wanted = ids ? sql`d.id = any(${ids}::uuid[])` : sql`d.created_at >= ${instantIn(call, since ?? '')}`;
    return call.workspace.transaction(async (tx) => {
      const webhook = await ownWebhook(call, id, 'have it sent again', tx);
      const { rows } =
        await tx.run(sql`select d.id from ${table} d where d.webhook_id = ${webhook.id}::uuid and ${wanted}
        and d.state <> 'pending' order by d.seq limit ${mostReplayed + 1}::integer for update`);
      const found = rows.slice(0, mostReplayed).map(([one]) => one ?? '');
      const now = instant(call.now);
      await tx.run(sql`update ${table} set state = 'pending', attempts = 0, error = null, finished_at = null,
        next_attempt_at = ${now} where id = any(${found}::uuid[])`);
      await tx.run(insertJob(call.model, webhookJob(webhook.id), call.now));
      call.wake(call.now);
      return { replayed: found.length, has_more: rows.length > mostReplayed };
    });
  },
});

function instantIn({ timeZone }: Call, text: string): Sql {
  const time = parseInstant(text.trim(), timeZone);
  if (time === undefined) throw errors.validation('since must be a time such as 2026-01-31T09:30:00Z');
  return sql`${time}::timestamptz`;
}

export const testWebhook = defineOperation({
  id: 'webhook.test',
  summary: 'Send an event of type webhook.test to a webhook of the caller, once',
  input: Type.Object({ id: WebhookId }, { additionalProperties: false }),
  output: Type.Object({
    delivered: Type.Boolean(),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the answer, where there was one' }),
    error: Type.Union([Type.String(), Type.Null()]),
    event_id: Type.String({ format: 'uuid' }),
  }),
  effect: 'external',
  cost: 'expensive',
  adminOnly: 'Trying out a webhook',
  async run(call, { id }) {
    const webhook = await ownWebhook(call, id, 'try it out');
    const url = sql`select w.url from ${call.workspace.table('_webhooks')} w where w.id = ${webhook.id}::uuid`;
    const [address, stored] = await call.workspace.read(
      statement(url, call.model.version),
      statement(selectSecrets(call, webhook.id), call.model.version),
    );
    const secrets = secretsIn(call, webhook.id, stored?.rows[0]);
    if (secrets.length === 0) throw errors.conflict('The secret of the webhook cannot be opened any more: rotate it');
    const eventId = newId(call.now);
    const at = new Date(call.now).toISOString();
    const body = JSON.stringify({ id: eventId, type: 'webhook.test', webhook_id: webhook.id, at });
    const message = { url: address?.rows[0]?.[0] ?? '', id: eventId, body, secrets };
    const { isTaken, status, error } = await call.sendOut(() => send(call.outgoing, message, call.now, call.signal));
    return { delivered: isTaken, status, error, event_id: eventId };
  },
});
