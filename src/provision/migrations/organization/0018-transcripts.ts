import type { OrganizationMigration } from '../../migration.ts';

/**
 * Meetings being recorded by the browser extension, with their transcript so far.
 * `src/records/conversations/transcripts.ts` documents the columns.
 */
export const transcripts: OrganizationMigration = {
  version: 18,
  name: 'transcripts',
  script: (schema) => `
create table ${schema}._transcripts (
  id uuid primary key,
  workspace_user_id uuid not null,
  meeting_id text collate "C" not null,
  about text collate "C" not null,
  segments integer not null,
  characters integer not null,
  thread_id uuid,
  started_at timestamptz not null,
  last_at timestamptz not null,
  stopped_at timestamptz
);
create unique index on ${schema}._transcripts (workspace_user_id, meeting_id) where stopped_at is null;
create index on ${schema}._transcripts (workspace_user_id, meeting_id, started_at);
create index on ${schema}._transcripts (stopped_at);
create table ${schema}._transcript_segments (
  transcript_id uuid not null,
  seq integer not null,
  body text collate "C" not null,
  primary key (transcript_id, seq)
);
`,
};
