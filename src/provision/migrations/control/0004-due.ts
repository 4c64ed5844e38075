import type { ControlMigration } from '../../migration.ts';

/** When to check an organization's jobs next. Only a wake-up: the jobs themselves are in its schema. */
export const due: ControlMigration = {
  version: 4,
  name: 'due',
  script: `
create table kith.due (
  organization_id uuid primary key references kith.organizations (id) on delete cascade,
  run_at timestamptz not null,
  watched_until timestamptz
);
create index on kith.due (run_at);
insert into kith.due (organization_id, run_at) select id, created_at from kith.organizations where state = 'active';
`,
};
