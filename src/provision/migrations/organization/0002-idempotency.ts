import type { OrganizationMigration } from '../../migration.ts';

/** Stored answers for repeated requests. (The trash index of an object is created with its other indexes.) */
export const idempotency: OrganizationMigration = {
  version: 2,
  name: 'idempotency',
  script: (schema) => `
create table ${schema}._idempotency (
  workspace_user_id uuid not null,
  key_hash text collate "C" not null,
  request_hash text collate "C" not null,
  role_id uuid not null,
  model_version bigint,
  answer text collate "C",
  created_at timestamptz not null,
  primary key (workspace_user_id, key_hash)
);
create index on ${schema}._idempotency (created_at);
`,
};
