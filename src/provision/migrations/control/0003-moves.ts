import type { ControlMigration } from '../../migration.ts';

/** During a move, the target datasource. Null otherwise. */
export const moves: ControlMigration = {
  version: 3,
  name: 'moves',
  script: `alter table kith.organizations add column moving_to uuid references kith.datasources (id);`,
};
