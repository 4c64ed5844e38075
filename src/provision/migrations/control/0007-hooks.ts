import type { ControlMigration } from '../../migration.ts';

/** The organization and the owner of each account with a provider's hook. */
export const hooks: ControlMigration = {
  version: 7,
  name: 'hooks',
  script: `
create table kith.hooks (
  integration_id uuid primary key,
  organization_id uuid not null references kith.organizations (id) on delete cascade,
  workspace_user_id uuid not null
);
create index on kith.hooks (organization_id);
`,
};
