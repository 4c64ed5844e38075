/** Inputs and outputs of the operations on webhooks. */
import { Type } from 'typebox';
import { eventTypes } from '../../records/following/event-text.ts';
import { Choice } from '../inputs.ts';
import { Id, Nullable, Time } from '../outputs.ts';

/** A plain string: an invalid id is answered as unknown. */
export const WebhookId = Type.String({ description: 'Id of the webhook' });

const longestUrl = 2_000;

/** The settings of a webhook; all are optional in a change. */
export const WebhookInput = {
  url: Type.String({
    minLength: 1,
    maxLength: longestUrl,
    description: 'Where to send to: https://, and http:// for hosts that KITH_PRIVATE_HOSTS of the service names',
  }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
  events: Type.Optional(
    Type.Array(Choice([...eventTypes]), { maxItems: 20, description: 'Types of events; all when absent or empty' }),
  ),
  objects: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 500,
      description: 'Plural names of objects; all that its creator may see when absent or empty',
    }),
  ),
};

export const WebhookOut = {
  id: Id,
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Type.String(), { description: 'Empty: all' }),
  objects: Type.Array(Type.String(), { description: 'Empty: all that its creator may see' }),
  state: Type.String({
    enum: ['active', 'paused', 'disabled'],
    description: 'paused: by somebody; disabled: by the service',
  }),
  reason: Nullable(Type.String({ description: 'Why it is not active' })),
  creator: Type.Object({ id: Id, display: Nullable(Type.String()) }),
  pending: Nullable(
    Type.Integer({
      description: 'Deliveries that are neither taken nor given up, up to 1,000; null for others than its creator',
    }),
  ),
  last_success_at: Nullable(Time),
  last_error: Nullable(Type.String()),
  last_error_at: Nullable(Time),
  created_at: Time,
  updated_at: Time,
};

export const Secret = Type.String({ description: 'Signs deliveries; shown only once', examples: ['whsec_…'] });

export const deliveryStates = ['pending', 'delivered', 'failed', 'withheld'] as const;

export const DeliveryOut = Type.Object({
  id: Id,
  event_id: { ...Id, description: 'The header webhook-id' },
  event_type: Type.String(),
  object_name: Nullable(Type.String()),
  record_id: Nullable(Id),
  state: Type.String({
    enum: [...deliveryStates],
    description: 'failed: given up; withheld: its creator may not see it any more',
  }),
  attempts: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'Of the last answer' })),
  error: Nullable(Type.String()),
  created_at: Time,
  last_attempt_at: Nullable(Time),
  next_attempt_at: Nullable(Time),
  finished_at: Nullable(Time),
});
