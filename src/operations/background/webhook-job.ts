/** The job that sends to webhooks, one for each active webhook; it runs again on new events or when a delivery is due. */
import { Type } from 'typebox';
import { defineJob, type JobKind, type WantedJob } from '../../jobs/job.ts';
import { createTurns } from '../../lib/turns.ts';
import { statement } from '../../postgres/sql.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from '../../jobs/concurrency-limit.ts';
import { troubledFrom } from '../../webhooks/schedule.ts';
import { selectWebhook, webhookIn } from '../../webhooks/stored-webhooks.ts';
import { WebhookRun, type RunParts } from './webhook-run.ts';

export const webhookKind = 'webhook';

/** The job of an active webhook. */
export function webhookJob(webhookId: string): WantedJob {
  return { kind: webhookKind, key: webhookId, input: { webhook_id: webhookId } };
}

/** The most runs that use a database at a time, so that requests keep their connections. */
const mostAtDatabases = 2;
/** Delay before the next try if all slots are taken. */
const placelessMs = 1_000;

/** The job kind. A job ends only when its webhook is to send nothing more. */
export function sendingToWebhooks(
  parts: Omit<RunParts, 'turns' | 'isWaitedFor'>,
  places: ConcurrencyLimit = createConcurrencyLimit(),
): JobKind {
  const turns = createTurns(mostAtDatabases);
  return defineJob({
    kind: webhookKind,
    input: Type.Object({ webhook_id: Type.String() }),
    attempts: Infinity,
    async run(job, signal) {
      const { database, organization, input } = job;
      const at = { schema: organization.schema, webhookId: input.webhook_id };
      const { rows } = await database.run(organization.id, statement(selectWebhook(at)));
      const webhook = webhookIn(rows[0]);
      if (webhook?.state !== 'active') return undefined;
      const place = places.take(webhook.failures >= troubledFrom, job.organization.id);
      if (!place) return parts.clock.now() + placelessMs;
      const all = { ...parts, turns, isWaitedFor: () => places.areFew() };
      try {
        return await job.aside(() => new WebhookRun(all, job, webhook.id, signal).run());
      } finally {
        place.free();
      }
    },
  });
}
