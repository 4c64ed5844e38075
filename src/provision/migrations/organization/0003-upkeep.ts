import type { OrganizationMigration } from '../../migration.ts';

/** Daily counts of sorts and filters by field, and the objects whose search texts must be rebuilt. */
export const upkeep: OrganizationMigration = {
  version: 3,
  name: 'upkeep',
  script: (schema) => `
create table ${schema}._uses (
  object_id uuid not null,
  field_id text collate "C" not null,
  use text collate "C" not null,
  day date not null,
  count bigint not null,
  primary key (object_id, field_id, use, day)
);

create table ${schema}._unsettled (object_id uuid primary key);
insert into ${schema}._unsettled (object_id) select id from ${schema}._objects;
`,
};
