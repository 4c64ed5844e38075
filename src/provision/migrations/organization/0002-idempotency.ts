import type { OrganizationMigration } from '../../migration.ts';

/** Answers that are kept for requests that are sent again, and a way to what is in the trash. */
export const idempotency: OrganizationMigration = {
  version: 2,
  name: 'idempotency',
  script: (schema) => `
create table ${schema}._idempotency (
  workspace_user_id uuid not null,
  key_hash text collate "C" not null,
  request_hash text collate "C" not null,
  role_id uuid not null,
  model_version bigint,
  answer text collate "C",
  created_at timestamptz not null,
  primary key (workspace_user_id, key_hash)
);
create index on ${schema}._idempotency (created_at);

do $$
declare object record;
begin
  for object in select id, name from ${schema}._objects loop
    execute format('create index %I on ${schema}.%I (deleted_at desc, id desc) where deleted_at is not null',
      'i_' || right(replace(object.id::text, '-', ''), 12) || '_trash', object.name);
  end loop;
end $$;
`,
};
