/** Routes hooks called by providers: the account's organization and owner. */
import { isUuid } from '../lib/id.ts';
import { sql } from '../postgres/sql.ts';
import type { Database } from '../postgres/database.ts';
import { controlRows, textOf } from './control.ts';

/** The organization and owner of an account. */
export interface HookPlace {
  readonly organizationId: string;
  readonly workspaceUserId: string;
}

export interface HookedAccount {
  readonly integrationId: string;
  readonly workspaceUserId: string;
}

export interface Hooks {
  /**
   * Registers accounts of the organization before they are written. Returns the ids that belong to other
   * organizations, and stay theirs.
   */
  enterHooks(organizationId: string, accounts: readonly HookedAccount[]): Promise<readonly string[]>;
  /** Removes the hook if it belongs to the organization. Returns true to exactly one of several concurrent callers. */
  removeHook(organizationId: string, integrationId: string): Promise<boolean>;
  hookPlace(integrationId: string): Promise<HookPlace | undefined>;
}

/** Creates the hooks' registry, in the control schema on `main`. */
export function createHooks(main: Database): Hooks {
  return {
    async enterHooks(organizationId, accounts) {
      if (accounts.length === 0) return [];
      const [ids, owners] = [accounts.map((one) => one.integrationId), accounts.map((one) => one.workspaceUserId)];
      await controlRows(
        main,
        sql`insert into kith.hooks (integration_id, organization_id, workspace_user_id)
          select n.id, ${organizationId}::uuid, n.owner from unnest(${ids}::uuid[], ${owners}::uuid[]) n (id, owner)
          on conflict (integration_id) do nothing`,
      );
      const elsewhere = sql`select integration_id from kith.hooks
        where integration_id = any(${ids}::uuid[]) and organization_id <> ${organizationId}::uuid`;
      return (await controlRows(main, elsewhere)).map((row) => textOf(row, 0));
    },
    async removeHook(organizationId, integrationId) {
      const removed = await controlRows(
        main,
        sql`delete from kith.hooks where integration_id = ${integrationId}::uuid
          and organization_id = ${organizationId}::uuid returning integration_id`,
      );
      return removed.length > 0;
    },
    async hookPlace(integrationId) {
      if (!isUuid(integrationId)) return undefined;
      const [row] = await controlRows(
        main,
        sql`select organization_id, workspace_user_id from kith.hooks where integration_id = ${integrationId}::uuid`,
      );
      return row && { organizationId: textOf(row, 0), workspaceUserId: textOf(row, 1) };
    },
  };
}
