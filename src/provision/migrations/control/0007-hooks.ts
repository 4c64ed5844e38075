import type { ControlMigration } from '../../migration.ts';

/** Which organization an account is of whose provider calls in by itself, and whose it is there. */
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
