import type { OrganizationMigration } from '../../migration.ts';

/** Threads are found without regard to accents: texts that may hold some are made anew by the upkeep. */
export const foldedThreadSearch: OrganizationMigration = {
  version: 23,
  name: 'folded-thread-search',
  script: (schema) => `update ${schema}._threads set search_text = null where search_text ~ '[^ -~]';
    update ${schema}._jobs set run_at = least(run_at, now()) where kind = 'upkeep' and state = 'waiting';`,
};
