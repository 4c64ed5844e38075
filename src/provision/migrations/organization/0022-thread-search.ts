import type { OrganizationMigration } from '../../migration.ts';

/** The search words of threads. Where null, an upkeep job has yet to enter them, and a search reads messages. */
export const threadSearch: OrganizationMigration = {
  version: 22,
  name: 'thread-search',
  script: (schema) => `alter table ${schema}._threads add column search_text text collate "C";
    update ${schema}._jobs set run_at = least(run_at, now()) where kind = 'upkeep' and state = 'waiting';`,
  indexes: [
    {
      name: '_threads_search',
      table: '_threads',
      // The pending list is larger than for records: a thread is entered again with each of its messages.
      definition: 'using gin (search_text public.gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 1024)',
    },
    { name: '_threads_without_search_text', table: '_threads', definition: '(id) where search_text is null' },
  ],
};
