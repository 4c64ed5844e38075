import type { OrganizationMigration } from '../../migration.ts';

/**
 * The change set of a history entry, and its place in the order of commits: `(epoch, tx, id)`. Older entries have
 * neither, nor do those of processes of the previous release: these come first, in id order.
 */
const commitOrder = (schema: string) => `
alter table ${schema}._history
  add column operation text collate "C",
  add column request text collate "C",
  add column epoch bigint not null default 0,
  add column tx xid8 not null default '0';
`;

/** Background jobs; `src/jobs` documents the columns. */
const jobs = (schema: string) => `
create table ${schema}._jobs (
  id uuid primary key,
  kind text collate "C" not null,
  key text collate "C",
  payload jsonb not null,
  workspace_user_id uuid,
  token_id uuid,
  state text collate "C" not null check (state in ('waiting', 'running', 'done', 'failed')),
  run_at timestamptz not null,
  again_at timestamptz,
  attempts integer not null,
  holder uuid,
  leased_until timestamptz,
  progress jsonb,
  error text collate "C",
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index on ${schema}._jobs (kind, key) where finished_at is null;
create index on ${schema}._jobs ((coalesce(leased_until, run_at))) where finished_at is null;
create index on ${schema}._jobs (finished_at) where finished_at is not null;
`;

export const ground: OrganizationMigration = {
  version: 4,
  name: 'ground',
  script: (schema) => commitOrder(schema) + jobs(schema),
  indexes: [{ name: '_history_epoch_tx_id_idx', table: '_history', definition: '(epoch, tx, id)' }],
};
