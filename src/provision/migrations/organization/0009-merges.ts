import type { OrganizationMigration } from '../../migration.ts';

/**
 * Which record a duplicate was merged into, and what an unmerge needs to give it back; `src/records/merging` says what the columns
 * mean.
 */
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
