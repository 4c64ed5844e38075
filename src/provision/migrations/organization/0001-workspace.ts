import type { OrganizationMigration } from '../../migration.ts';

/** The system tables of an organization. Object tables are made from metadata (`model/ddl.ts`). */
export const workspace: OrganizationMigration = {
  version: 1,
  name: 'workspace',
  script: (schema) => people(schema) + metadata(schema) + records(schema) + collections(schema),
};

const people = (schema: string) => `
create table ${schema}._organization (
  id uuid primary key,
  name text collate "C" not null,
  currency text collate "C" not null,
  timezone text collate "C" not null,
  epoch bigint not null,
  moved boolean not null default false,
  model_version bigint not null,
  schema_version integer not null,
  data_key text collate "C" not null,
  created_at timestamptz not null
);

create table ${schema}._roles (
  id uuid primary key,
  name text collate "C" not null unique,
  is_admin boolean not null,
  permissions jsonb not null,
  position integer not null
);

create table ${schema}._users (
  id uuid primary key,
  user_id uuid not null unique,
  name text collate "C" not null,
  email text collate "C" not null,
  role_id uuid not null references ${schema}._roles (id),
  is_active boolean not null,
  search_text text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index on ${schema}._users (lower(email));
create index on ${schema}._users (created_at, id);

create table ${schema}._tokens (
  id uuid primary key,
  workspace_user_id uuid not null references ${schema}._users (id),
  name text collate "C" not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index on ${schema}._tokens (workspace_user_id);
`;

const metadata = (schema: string) => `
create table ${schema}._objects (
  id uuid primary key,
  name text collate "C" not null unique,
  position integer not null,
  definition jsonb not null
);

create table ${schema}._fields (
  id uuid primary key,
  object_id uuid not null references ${schema}._objects (id),
  name text collate "C" not null,
  position integer not null,
  definition jsonb not null,
  unique (object_id, name)
);

create table ${schema}._pipelines (
  id uuid primary key,
  object_id uuid not null references ${schema}._objects (id),
  name text collate "C" not null,
  is_default boolean not null,
  position integer not null,
  unique (object_id, name)
);

create table ${schema}._pipeline_steps (
  id uuid primary key,
  pipeline_id uuid not null references ${schema}._pipelines (id),
  name text collate "C" not null,
  order_index integer not null,
  definition jsonb not null
);
create index on ${schema}._pipeline_steps (pipeline_id);
`;

/** Tables about records. */
const records = (schema: string) => `
create table ${schema}._history (
  id bigint generated always as identity primary key,
  object_id uuid not null,
  record_id uuid not null,
  action text collate "C" not null,
  before jsonb,
  links jsonb,
  actor_id uuid,
  token_id uuid,
  agent text collate "C",
  means text collate "C" not null,
  change_set uuid not null,
  at timestamptz not null
);
create index on ${schema}._history (record_id, id);
create index on ${schema}._history (change_set);

create table ${schema}._unique_values (
  object_id uuid not null,
  field_id uuid not null,
  value text collate "C" not null,
  record_id uuid not null,
  primary key (field_id, value)
);
create index on ${schema}._unique_values (record_id);

create table ${schema}._state (
  object_id uuid not null,
  bucket integer not null,
  rows bigint not null,
  version bigint not null,
  primary key (object_id, bucket)
);
`;

const collections = (schema: string) => `
create table ${schema}._lists (
  id uuid primary key,
  name text collate "C" not null,
  description text collate "C",
  icon_name text collate "C",
  color text collate "C",
  object_types text[] not null,
  fields jsonb not null default '[]',
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table ${schema}._list_entries (
  id uuid primary key,
  list_id uuid not null references ${schema}._lists (id) on delete cascade,
  object_id uuid not null,
  record_id uuid not null,
  entry_fields jsonb not null default '{}',
  created_by uuid,
  created_at timestamptz not null,
  unique (list_id, record_id)
);
create index on ${schema}._list_entries (record_id);

create table ${schema}._integrations (
  id uuid primary key,
  workspace_user_id uuid not null references ${schema}._users (id),
  provider text collate "C" not null,
  account_email text collate "C" not null,
  status text collate "C" not null check (status in ('active', 'expired', 'error')),
  last_sync_at timestamptz,
  created_at timestamptz not null
);
create index on ${schema}._integrations (workspace_user_id);
`;
