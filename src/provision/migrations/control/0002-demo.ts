import type { ControlMigration } from '../../migration.ts';

/** While a demo is being filled: the day that its dates go around; `infinity` when it is. Null for every other organization. */
export const demo: ControlMigration = {
  version: 2,
  name: 'demo',
  script: `alter table kith.organizations add column demo_day date;`,
};
