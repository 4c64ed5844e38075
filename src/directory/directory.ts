/**
 * The directory: organizations and their locations, members, and the organization of each token. The control schema
 * `kith` contains no organization's own data, and no statement joins the two: they may be on different clusters.
 */
import { isUuid, newId } from '../lib/id.ts';
import { sql } from '../postgres/sql.ts';
import { controlRows, textOf } from './control.ts';
import { createDatasources, type Datasources, type DirectoryParts } from './datasources.ts';
import { createDues, type Dues } from './due.ts';
import { createHooks, type Hooks } from './hooks.ts';
import { createMembers, type Members } from './members.ts';
import { createMoves, type Moves } from './moves.ts';
import { removeUnfinished } from './unfinished.ts';
import { createOrganizations, type Organization, type Organizations } from './organizations.ts';

export type { Organization };

type Withdrawn = Pick<Organization, 'id' | 'schema' | 'datasourceId'>;

export interface Directory extends Organizations, Datasources, Moves, Dues, Members, Hooks {
  /** The id of the person with that address, created if unknown. */
  personByEmail(email: string, name: string): Promise<string>;
  addToken(tokenId: string, organizationId: string): Promise<void>;
  organizationOfToken(tokenId: string): Promise<Organization | undefined>;
  /** Removes the data of a withdrawn organization, then its entry. */
  removeWithdrawn(organization: Withdrawn): Promise<void>;
}

/** Creates a process's directory: everything known of organizations outside their schemas. */
export function createDirectory(parts: DirectoryParts): Directory {
  const { main, clock } = parts;
  const organizations = createOrganizations(main, clock);
  const datasources = createDatasources(parts);
  return {
    ...organizations,
    ...datasources,
    ...createDues(main, clock),
    ...createMembers(main),
    ...createHooks(main),
    ...createMoves(main, organizations.forget),
    async personByEmail(email, name) {
      // The no-op update makes the statement return a known person.
      const query = sql`insert into kith.people (id, email, name, created_at)
        values (${newId()}::uuid, ${email.toLowerCase()}, ${name}, to_timestamp(${clock.now() / 1000}))
        on conflict (email) do update set email = excluded.email returning id`;
      return textOf((await controlRows(main, query))[0], 0);
    },
    async addToken(tokenId, organizationId) {
      const query = sql`insert into kith.tokens (id, organization_id) values (${tokenId}::uuid, ${organizationId}::uuid)`;
      await controlRows(main, query);
    },
    async organizationOfToken(tokenId) {
      if (!isUuid(tokenId)) return undefined;
      const [row] = await controlRows(main, sql`select organization_id from kith.tokens where id = ${tokenId}::uuid`);
      return row === undefined ? undefined : organizations.organization(textOf(row, 0));
    },
    removeWithdrawn: async (organization) =>
      removeUnfinished(main, await datasources.databaseOf(organization), organization),
  };
}
