import type { ControlMigration } from '../../migration.ts';

/**
 * For a demo: the day around which its dates are placed, `infinity` once it is filled. Null for other organizations.
 */
export const demo: ControlMigration = {
  version: 2,
  name: 'demo',
  script: `alter table kith.organizations add column demo_day date;`,
};
