import type { OrganizationMigration } from '../../migration.ts';

/**
 * Imports: the state of each file, and its rows in parts of some hundred. `src/records/import/jobs` documents the
 * columns.
 */
export const imports: OrganizationMigration = {
  version: 15,
  name: 'imports',
  script: (schema) => `
create table ${schema}._import_jobs (
  id uuid primary key,
  workspace_user_id uuid not null,
  object_id uuid not null,
  status text collate "C" not null,
  analysis text collate "C" not null,
  choice text collate "C",
  preview text collate "C",
  outcome text collate "C",
  error text collate "C",
  job_id uuid,
  change_set uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  has_rows boolean not null
);
create index on ${schema}._import_jobs (created_at);
create table ${schema}._import_parts (
  import_id uuid not null,
  part integer not null,
  rows text collate "C" not null,
  planned text collate "C",
  failed text collate "C",
  primary key (import_id, part)
);
`,
};
