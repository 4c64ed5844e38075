import type { OrganizationMigration } from '../../migration.ts';

/**
 * What an entry of history was a part of, and where it stands in the order of commits: `(epoch, tx, id)`. Nobody knows
 * either of older entries, and a process of the release before tells neither: these come first, in the order of their ids.
 */
export const ground: OrganizationMigration = {
  version: 4,
  name: 'ground',
  script: (schema) => `
alter table ${schema}._history
  add column operation text collate "C",
  add column request text collate "C",
  add column epoch bigint not null default 0,
  add column tx xid8 not null default '0';
create index on ${schema}._history (epoch, tx, id);
`,
};
