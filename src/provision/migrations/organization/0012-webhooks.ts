import type { OrganizationMigration } from '../../migration.ts';

/**
 * Webhooks. A webhook's position in history is its outbox; planned deliveries, one per event, contain no values.
 * `src/webhooks` documents the columns.
 */
export const webhooks: OrganizationMigration = {
  version: 12,
  name: 'webhooks',
  script: (schema) => `
create table ${schema}._webhooks (
  id uuid primary key,
  url text collate "C" not null,
  description text collate "C",
  event_types text[] not null default '{}',
  object_ids uuid[] not null default '{}',
  secret text collate "C" not null,
  old_secret text collate "C",
  old_secret_until timestamptz,
  creator_id uuid not null,
  token_id uuid,
  state text collate "C" not null check (state in ('active', 'paused', 'disabled')),
  reason text collate "C",
  epoch bigint not null,
  tx xid8 not null,
  history_id bigint not null,
  sight text collate "C" not null,
  sight_day text collate "C" not null,
  planned bigint not null default 0,
  failures integer not null default 0,
  failing_since timestamptz,
  rest_until timestamptz,
  last_success_at timestamptz,
  last_error text collate "C",
  last_error_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table ${schema}._webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null,
  seq bigint not null,
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  object_id uuid,
  record_id uuid,
  epoch bigint not null,
  tx xid8 not null,
  history_id bigint not null,
  state text collate "C" not null check (state in ('pending', 'delivered', 'failed', 'withheld')),
  attempts integer not null default 0,
  status integer,
  error text collate "C",
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz not null,
  finished_at timestamptz,
  unique (webhook_id, event_id),
  unique (webhook_id, seq)
);
create index on ${schema}._webhook_deliveries (webhook_id, record_id, seq) where state = 'pending';
create index on ${schema}._webhook_deliveries (record_id);
create index on ${schema}._webhook_deliveries (finished_at) where finished_at is not null;
`,
};
