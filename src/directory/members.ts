/**
 * People by address, and the organizations in which they have a user. Whether the user is active, only the
 * organization knows. A membership is entered before its user, so that none is missing.
 */
import { sql } from '../postgres/sql.ts';
import type { Database } from '../postgres/database.ts';
import { controlRows, textOf } from './control.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface Members {
  /** The person with that address, in any case. */
  personOf(email: string): Promise<Person | undefined>;
  addMember(personId: string, organizationId: string): Promise<void>;
  /** Enters the memberships; unknown ids are skipped. The organization's members are then known. */
  enterMembers(organizationId: string, personIds: readonly string[]): Promise<void>;
  /** Organizations with users made by an earlier release, whose memberships are not entered yet. */
  organizationsWithoutMembers(): Promise<readonly string[]>;
  /** The active organizations in which the person has a user, oldest first, at most `most`. */
  organizationsOf(personId: string, most: number): Promise<readonly string[]>;
}

/** Creates the registry of people and memberships, in the control schema on `main`. */
export function createMembers(main: Database): Members {
  return {
    async personOf(email) {
      const query = sql`select id, email, name from kith.people where email = ${email.trim().toLowerCase()}`;
      const [row] = await controlRows(main, query);
      return row && { id: textOf(row, 0), email: textOf(row, 1), name: textOf(row, 2) };
    },
    async addMember(personId, organizationId) {
      const query = sql`insert into kith.memberships (person_id, organization_id)
        values (${personId}::uuid, ${organizationId}::uuid) on conflict do nothing`;
      await controlRows(main, query);
    },
    async enterMembers(organizationId, personIds) {
      const known = sql`select p.id, ${organizationId}::uuid from kith.people p where p.id = any(${personIds}::uuid[])`;
      await controlRows(
        main,
        sql`insert into kith.memberships (person_id, organization_id) ${known} on conflict do nothing`,
      );
      await controlRows(
        main,
        sql`update kith.organizations set members_entered = true where id = ${organizationId}::uuid`,
      );
    },
    async organizationsWithoutMembers() {
      const query = sql`select id from kith.organizations where state = 'active' and not members_entered order by id`;
      return (await controlRows(main, query)).map((row) => textOf(row, 0));
    },
    async organizationsOf(personId, most) {
      const query = sql`select o.id from kith.memberships m join kith.organizations o on o.id = m.organization_id
        where m.person_id = ${personId}::uuid and o.state = 'active' order by o.created_at, o.id limit ${most}::integer`;
      return (await controlRows(main, query)).map((row) => textOf(row, 0));
    },
  };
}
