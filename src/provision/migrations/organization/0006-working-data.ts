import type { OrganizationMigration } from '../../migration.ts';

/** What people work with beside records: notifications, and entries of lists by the page. */
export const workingData: OrganizationMigration = {
  version: 6,
  name: 'working-data',
  script: (schema) => `
create table ${schema}._notifications (
  id uuid primary key,
  user_id uuid not null,
  kind text collate "C" not null check (kind in ('task_assigned', 'task_completed', 'mention_in_note')),
  actor_id uuid,
  object_id uuid not null,
  record_id uuid not null,
  created_at timestamptz not null,
  read_at timestamptz,
  epoch bigint not null,
  tx xid8 not null
);
create index on ${schema}._notifications (user_id, created_at, id);
create index on ${schema}._notifications (user_id) where read_at is null;
create index on ${schema}._notifications (record_id);
create index on ${schema}._notifications (epoch, tx, id);

create index on ${schema}._list_entries (list_id, created_at, id);
`,
};
