import type { OrganizationMigration } from '../../migration.ts';

/** Work that was asked for and is carried out beside requests; `src/jobs` says what the columns mean. */
export const jobs: OrganizationMigration = {
  version: 4,
  name: 'jobs',
  script: (schema) => `
create table ${schema}._jobs (
  id uuid primary key,
  kind text collate "C" not null,
  key text collate "C",
  payload jsonb not null,
  workspace_user_id uuid,
  token_id uuid,
  state text collate "C" not null check (state in ('waiting', 'running', 'done', 'failed')),
  run_at timestamptz not null,
  again_at timestamptz,
  attempts integer not null,
  holder uuid,
  leased_until timestamptz,
  progress jsonb,
  error text collate "C",
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index on ${schema}._jobs (kind, key) where finished_at is null;
create index on ${schema}._jobs ((coalesce(leased_until, run_at))) where finished_at is null;
create index on ${schema}._jobs (finished_at) where finished_at is not null;
`,
};
