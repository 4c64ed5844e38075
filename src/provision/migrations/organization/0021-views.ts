import type { OrganizationMigration } from '../../migration.ts';

/** Views: the settings of an object's table or board, as in `records/views`. */
export const views: OrganizationMigration = {
  version: 21,
  name: 'views',
  script: (schema) => `
create table ${schema}._views (
  id uuid primary key,
  object_id uuid not null,
  owner_id uuid not null,
  name text collate "C" not null,
  is_shared boolean not null,
  position integer not null,
  settings text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on ${schema}._views (owner_id, object_id);
create index on ${schema}._views (object_id) where is_shared;
`,
};
