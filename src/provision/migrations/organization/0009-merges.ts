import type { OrganizationMigration } from '../../migration.ts';

/** The master of each merged duplicate, and the data for an unmerge; `src/records/merging` documents the columns. */
export const merges: OrganizationMigration = {
  version: 9,
  name: 'merges',
  script: (schema) => `
create table ${schema}._merges (
  record_id uuid primary key,
  object_id uuid not null,
  master_id uuid not null,
  change_set uuid not null,
  history_id bigint not null,
  merged_at timestamptz not null,
  counts jsonb not null,
  moved jsonb
);
create index on ${schema}._merges (master_id);
`,
};
