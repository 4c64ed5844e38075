import type { OrganizationMigration } from '../../migration.ts';

/** Finds recent history: entries are in order of time, except in an entered past. */
export const undo: OrganizationMigration = {
  version: 10,
  name: 'undo',
  script: (schema) => `create index if not exists _history_at_idx on ${schema}._history using brin (at);
`,
};
