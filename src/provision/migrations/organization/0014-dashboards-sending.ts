import type { OrganizationMigration } from '../../migration.ts';

/**
 * Dashboards with their charts, as in `records/dashboards`; sends by confirmation id; and the provider without an
 * outside.
 */
export const dashboardsSending: OrganizationMigration = {
  version: 14,
  name: 'dashboards-sending',
  script: (schema) => `
create table ${schema}._dashboards (
  id uuid primary key,
  name text collate "C" not null,
  owner_id uuid not null,
  charts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table ${schema}._sends (
  id uuid primary key,
  workspace_user_id uuid not null,
  digest text collate "C" not null,
  message_id text collate "C" not null,
  thread_id uuid not null,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index on ${schema}._sends (workspace_user_id, digest, created_at);
create index on ${schema}._sends (created_at);

create table ${schema}._sandbox (
  id uuid primary key,
  integration_id uuid not null,
  kind text collate "C" not null check (kind in ('sent', 'mark')),
  contents text collate "C" not null,
  at timestamptz not null
);
create index on ${schema}._sandbox (at, id);
`,
};
