import type { OrganizationMigration } from '../../migration.ts';

/** Built-in fields of a later release whose names the workspace already uses, as `object.field`. */
export const awaitedFields: OrganizationMigration = {
  version: 13,
  name: 'awaited-fields',
  script: (schema) => `alter table ${schema}._organization add column awaited_fields text[] not null default '{}';
`,
};
