import type { OrganizationMigration } from '../../migration.ts';

/** Notifications, paging of list entries, conversations and meetings. */
export const workingData: OrganizationMigration = {
  version: 6,
  name: 'working-data',
  script: (schema) => notifications(schema) + conversations(schema) + meetings(schema),
  indexes: [
    {
      name: '_list_entries_list_id_created_at_id_idx',
      table: '_list_entries',
      definition: '(list_id, created_at, id)',
    },
  ],
};

const notifications = (schema: string) => `
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
`;

/** Columns besides the object's fields. */
const row = `
  id uuid primary key,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  owner_id uuid not null,
`;

/** Contents are sealed in separate tables, since lists do not need them. */
const conversations = (schema: string) => `
alter table ${schema}._integrations
  add column channels text[] not null default '{}',
  add column send_enabled boolean not null default false,
  add column updated_at timestamptz;
create unique index on ${schema}._integrations (workspace_user_id, provider, account_email);

create table ${schema}._threads (${row}
  channel text collate "C" not null,
  subject text collate "C",
  last_message_date timestamptz,
  message_count bigint not null default 0,
  summary text collate "C",
  content_visibility text collate "C" not null default 'metadata_subject'
    check (content_visibility in ('full', 'metadata_subject', 'none')),
  managed_by_workspace_user_id uuid,
  external_thread_id text collate "C" not null,
  unique (owner_id, channel, external_thread_id)
);
create index on ${schema}._threads (owner_id, last_message_date, id);

create table ${schema}._interactions (${row}
  interaction_thread_id uuid not null,
  channel text collate "C" not null,
  external_id text collate "C" not null,
  direction text collate "C" not null check (direction in ('inbound', 'outbound')),
  date timestamptz not null,
  subject text collate "C",
  participants text[] not null,
  unique (owner_id, channel, external_id)
);
create index on ${schema}._interactions (interaction_thread_id, date, id);

create table ${schema}._interaction_contents (
  interaction_id uuid primary key,
  preview text collate "C" not null,
  body text collate "C" not null
);

create table ${schema}._participants (
  address text collate "C" not null,
  date timestamptz not null,
  interaction_id uuid not null,
  thread_id uuid not null,
  owner_id uuid not null,
  channel text collate "C" not null,
  primary key (address, date, interaction_id) include (owner_id, channel)
);
create index on ${schema}._participants (interaction_id);

create table ${schema}._addresses (
  address text collate "C" not null,
  owner_id uuid not null,
  channel text collate "C" not null,
  messages bigint not null,
  primary key (address, owner_id, channel)
);
`;

const meetings = (schema: string) => `
create table ${schema}._events (${row}
  external_id text collate "C" not null,
  title text collate "C",
  start_time timestamptz not null,
  end_time timestamptz,
  all_day boolean not null default false,
  status text collate "C" not null check (status in ('confirmed', 'tentative', 'cancelled')),
  organizer text collate "C",
  location text collate "C",
  meeting_url text collate "C",
  thread_id uuid,
  attendees jsonb not null default '[]',
  unique (owner_id, external_id)
);
create index on ${schema}._events (start_time, id);

create table ${schema}._event_attendees (
  address text collate "C" not null,
  start_time timestamptz not null,
  event_id uuid not null,
  primary key (address, start_time, event_id)
);
create index on ${schema}._event_attendees (event_id);
create index on ${schema}._event_attendees (start_time);
`;
