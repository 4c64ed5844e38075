/**
 * All migrations, oldest first. A release adds at most one of each kind, and removes only what the previous release
 * no longer used.
 */
import type { ControlMigration, OrganizationMigration } from './migration.ts';
import { directory } from './migrations/control/0001-directory.ts';
import { demo } from './migrations/control/0002-demo.ts';
import { moves } from './migrations/control/0003-moves.ts';
import { due } from './migrations/control/0004-due.ts';
import { signIn } from './migrations/control/0005-sign-in.ts';
import { oauth } from './migrations/control/0006-oauth.ts';
import { hooks } from './migrations/control/0007-hooks.ts';
import { workspace } from './migrations/organization/0001-workspace.ts';
import { idempotency } from './migrations/organization/0002-idempotency.ts';
import { upkeep } from './migrations/organization/0003-upkeep.ts';
import { ground } from './migrations/organization/0004-ground.ts';
import { stepHistory } from './migrations/organization/0005-step-history.ts';
import { workingData } from './migrations/organization/0006-working-data.ts';
import { merges } from './migrations/organization/0009-merges.ts';
import { undo } from './migrations/organization/0010-undo.ts';
import { webhooks } from './migrations/organization/0012-webhooks.ts';
import { awaitedFields } from './migrations/organization/0013-awaited-fields.ts';
import { dashboardsSending } from './migrations/organization/0014-dashboards-sending.ts';
import { imports } from './migrations/organization/0015-imports.ts';
import { audit } from './migrations/organization/0016-audit.ts';
import { connectedApps } from './migrations/organization/0017-connected-apps.ts';
import { transcripts } from './migrations/organization/0018-transcripts.ts';
import { accounts } from './migrations/organization/0019-accounts.ts';
import { calendars } from './migrations/organization/0020-calendars.ts';
import { views } from './migrations/organization/0021-views.ts';
import { threadSearch } from './migrations/organization/0022-thread-search.ts';
import { foldedThreadSearch } from './migrations/organization/0023-folded-thread-search.ts';

export interface Migrations {
  readonly control: readonly ControlMigration[];
  readonly organization: readonly OrganizationMigration[];
}

export const allMigrations: Migrations = {
  control: [directory, demo, moves, due, signIn, oauth, hooks],
  organization: [
    workspace,
    idempotency,
    upkeep,
    ground,
    stepHistory,
    workingData,
    merges,
    undo,
    webhooks,
    awaitedFields,
    dashboardsSending,
    imports,
    audit,
    connectedApps,
    transcripts,
    accounts,
    calendars,
    views,
    threadSearch,
    foldedThreadSearch,
  ],
};

/** The scripts that create a new, quoted schema; its tables are empty, so indexes are created directly. */
export function schemaScripts(schema: string): readonly string[] {
  return allMigrations.organization.flatMap(({ script, indexes = [] }) => [
    script(schema).trim().replace(/;$/, ''),
    ...indexes.map(({ name, table, definition }) => `create index "${name}" on ${schema}.${table} ${definition}`),
  ]);
}

/** The version after all of `migrations`. */
export function latestVersion(migrations: readonly { readonly version: number }[]): number {
  return Math.max(0, ...migrations.map((migration) => migration.version));
}
