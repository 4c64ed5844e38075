import type { OrganizationMigration } from '../../migration.ts';

/** Takes every organization to where built-in objects are added (`built-ins.ts`), which are made from metadata. */
export const tasksAndNotes: OrganizationMigration = { version: 5, name: 'tasks and notes', script: () => '' };
