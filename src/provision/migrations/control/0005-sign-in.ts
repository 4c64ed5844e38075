import type { ControlMigration } from '../../migration.ts';

/**
 * Memberships, sign-in links, browser sessions, and outgoing mails. Links and sessions are stored as hashes; mails
 * are sealed. `members_entered` is false for organizations whose users an earlier release created: `enterMembers`
 * reads them once.
 */
export const signIn: ControlMigration = {
  version: 5,
  name: 'sign-in',
  script: `
alter table kith.organizations add column members_entered boolean not null default false;

create table kith.memberships (
  person_id uuid not null references kith.people (id),
  organization_id uuid not null references kith.organizations (id) on delete cascade,
  primary key (person_id, organization_id)
);
create index on kith.memberships (organization_id);

create table kith.sign_in_links (
  id uuid primary key,
  hash text collate "C" not null unique,
  purpose text collate "C" not null check (purpose in ('sign-in', 'signup', 'invitation')),
  email text collate "C" not null,
  organization_id uuid references kith.organizations (id) on delete cascade,
  role_id uuid,
  invited_by uuid,
  details jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on kith.sign_in_links (email, created_at);
create index on kith.sign_in_links (organization_id) where organization_id is not null;
create index on kith.sign_in_links (expires_at);

create table kith.sessions (
  id uuid primary key,
  hash text collate "C" not null unique,
  person_id uuid not null references kith.people (id),
  organization_id uuid references kith.organizations (id) on delete set null,
  workspace_user_id uuid,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on kith.sessions (person_id);
create index on kith.sessions (organization_id) where organization_id is not null;
create index on kith.sessions (expires_at);

create table kith.mails (
  id uuid primary key,
  content text collate "C" not null,
  attempts integer not null,
  created_at timestamptz not null,
  next_attempt_at timestamptz not null
);
create index on kith.mails (next_attempt_at);
`,
};
