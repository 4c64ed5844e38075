import type { ControlMigration } from '../../migration.ts';

/**
 * The authorization server's data: registered apps, pending requests, codes, refresh tokens, and their consents.
 * Secrets are stored as hashes.
 */
export const oauth: ControlMigration = {
  version: 6,
  name: 'oauth',
  script: `
create table kith.oauth_entries (
  kind text collate "C" not null,
  hash text collate "C" not null,
  grant_id uuid,
  content jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, hash)
);
create index on kith.oauth_entries (grant_id) where grant_id is not null;
create index on kith.oauth_entries (expires_at);
`,
};
