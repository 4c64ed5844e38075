import type { OrganizationMigration } from '../../migration.ts';

/** Which part of history is of the last days: entries lie in the order of their times, but for a past that was entered. */
export const undo: OrganizationMigration = {
  version: 10,
  name: 'undo',
  script: (schema) => `create index if not exists _history_at_idx on ${schema}._history using brin (at);
`,
};
