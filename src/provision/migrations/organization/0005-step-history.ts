import type { OrganizationMigration } from '../../migration.ts';

/**
 * Steps that records left, and final steps that they entered. [spec: Record in a pipeline] Tasks and notes, new in
 * this release, are created from metadata after all migrations (`built-ins.ts`).
 */
export const stepHistory: OrganizationMigration = {
  version: 5,
  name: 'step-history',
  script: (schema) => `
create table ${schema}._pipeline_step_history (
  id uuid primary key,
  object_id uuid not null,
  record_id uuid not null,
  pipeline_id uuid not null,
  step_id uuid not null,
  entered_at timestamptz,
  left_at timestamptz,
  actor_id uuid,
  change_set uuid not null
);
create index on ${schema}._pipeline_step_history (record_id, id);
`,
};
