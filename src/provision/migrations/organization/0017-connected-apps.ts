import type { OrganizationMigration } from '../../migration.ts';

/**
 * For tokens given to an app by consent: the app, and how long it may renew them. Null for tokens created by people.
 */
export const connectedApps: OrganizationMigration = {
  version: 17,
  name: 'connected-apps',
  script: (schema) => `
alter table ${schema}._tokens add column app jsonb, add column connected_until timestamptz;
`,
};
