import type { ControlMigration } from '../../migration.ts';

/** While an organization is on its way to another datasource: which one. Null for every other organization. */
export const moves: ControlMigration = {
  version: 3,
  name: 'moves',
  script: `alter table kith.organizations add column moving_to uuid references kith.datasources (id);`,
};
