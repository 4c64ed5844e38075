import { createTrigrams } from '../../../postgres/extension.ts';
import type { ControlMigration } from '../../migration.ts';

/** The directory: organizations and their datasources, people, tokens. */
export const directory: ControlMigration = {
  version: 1,
  name: 'directory',
  script: `
${createTrigrams};

create table kith.datasources (
  id uuid primary key,
  name text collate "C" not null unique,
  url text collate "C",
  engine text collate "C" not null,
  created_at timestamptz not null
);

create table kith.organizations (
  id uuid primary key,
  name text collate "C" not null,
  schema_name text collate "C" not null unique,
  datasource_id uuid not null references kith.datasources (id),
  schema_version integer not null,
  state text collate "C" not null check (state in ('provisioning', 'active')),
  created_at timestamptz not null
);

create table kith.people (
  id uuid primary key,
  email text collate "C" not null unique,
  name text collate "C" not null,
  created_at timestamptz not null
);

create table kith.tokens (
  id uuid primary key,
  organization_id uuid not null references kith.organizations (id)
);
create index on kith.tokens (organization_id);
`,
};
