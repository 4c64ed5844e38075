import type { ControlMigration } from '../../migration.ts';

/** When to look at an organization's jobs next. Only a wake-up: what there is to do stands in its schema. */
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
