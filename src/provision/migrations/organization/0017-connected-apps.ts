import type { OrganizationMigration } from '../../migration.ts';

/**
 * Tokens that an app was given by a person's consent: of which app, and until when it may renew them. Null for tokens that
 * people make themselves.
 */
export const connectedApps: OrganizationMigration = {
  version: 17,
  name: 'connected-apps',
  script: (schema) => `
alter table ${schema}._tokens add column app jsonb, add column connected_until timestamptz;
`,
};
