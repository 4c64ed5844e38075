import type { OrganizationMigration } from '../../migration.ts';

/** Accounts that the service connects to: the settings, the sync position, and the messages it could not take. */
export const accounts: OrganizationMigration = {
  version: 19,
  name: 'accounts',
  script: (schema) => `
alter table ${schema}._integrations
  add column settings text collate "C",
  add column failures integer not null default 0,
  add column last_error text collate "C",
  add column next_sync_at timestamptz;

alter table ${schema}._interactions
  add column integration_id uuid,
  add column delivery text collate "C";
alter table ${schema}._events add column integration_id uuid;

create table ${schema}._mail_folders (
  integration_id uuid not null,
  name text collate "C" not null,
  uid_validity bigint not null,
  last_uid bigint not null,
  remaining bigint not null,
  primary key (integration_id, name)
);

create table ${schema}._account_failures (
  integration_id uuid not null,
  folder text collate "C" not null,
  uid text collate "C" not null,
  reason text collate "C" not null,
  primary key (integration_id, folder, uid)
);

create table ${schema}._thread_references (
  owner_id uuid not null,
  message_id text collate "C" not null,
  thread_id uuid not null,
  primary key (owner_id, message_id)
);
create index on ${schema}._thread_references (thread_id);
`,
  indexes: [
    {
      name: '_interactions_integration',
      table: '_interactions',
      definition: '(integration_id, created_at) where integration_id is not null',
    },
    {
      name: '_events_integration',
      table: '_events',
      definition: '(integration_id, created_at) where integration_id is not null',
    },
  ],
};
