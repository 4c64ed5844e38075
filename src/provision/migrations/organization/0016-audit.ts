import type { OrganizationMigration } from '../../migration.ts';

/** The audit: a chain of signed entries, and its end. `src/audit` documents the columns. */
export const audit: OrganizationMigration = {
  version: 16,
  name: 'audit',
  script: (schema) => `
create table ${schema}._audit (
  seq bigint primary key,
  id uuid not null,
  at timestamptz not null,
  action text collate "C" not null,
  subject text collate "C" not null,
  actor_id uuid,
  means text collate "C" not null,
  agent text collate "C",
  token_id uuid,
  request text collate "C",
  address text collate "C",
  key_id text collate "C" not null,
  previous text collate "C" not null,
  hash text collate "C" not null
);

create table ${schema}._audit_head (
  id integer primary key,
  rows bigint not null,
  hash text collate "C" not null,
  signature text collate "C" not null
);
`,
};
