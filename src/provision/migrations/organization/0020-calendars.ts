import type { OrganizationMigration } from '../../migration.ts';

/** Calendars with their sync positions, and meetings, sealed, since further occurrences become due as time passes. */
export const calendars: OrganizationMigration = {
  version: 20,
  name: 'calendars',
  script: (schema) => `
create table ${schema}._calendars (
  integration_id uuid not null,
  url text collate "C" not null,
  sync_token text collate "C",
  ctag text collate "C",
  primary key (integration_id, url)
);

create table ${schema}._calendar_entries (
  owner_id uuid not null,
  uid text collate "C" not null,
  integration_id uuid not null,
  version bigint not null,
  told_version bigint,
  expand_at timestamptz,
  calendar text collate "C",
  href text collate "C",
  etag text collate "C",
  body text collate "C" not null,
  primary key (owner_id, uid)
);
create index on ${schema}._calendar_entries (owner_id, expand_at) where expand_at is not null;
create index on ${schema}._calendar_entries (integration_id, calendar);
`,
};
