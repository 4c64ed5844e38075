/** Links sent by mail: each for one purpose and address, with an expiry, and usable once. Only a hash is stored. */
import { controlRows, textOf } from '../directory/control.ts';
import { errors } from '../errors.ts';
import { isObject, parseJson } from '../lib/json.ts';
import { newId } from '../lib/id.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database, Row } from '../postgres/database.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { hashOf, newSecret } from './secret-text.ts';

export type Purpose = 'sign-in' | 'signup' | 'invitation';

/** What a link stores until it is used. */
export interface LinkDetails {
  /** For a signup: the names of the person and the organization. */
  readonly name?: string;
  readonly organizationName?: string;
  /** The path of this service to continue at. */
  readonly next?: string;
}

export interface NewLink {
  /** If given, replaces the link of that id. */
  readonly id?: string;
  readonly purpose: Purpose;
  readonly email: string;
  readonly details?: LinkDetails;
  readonly invitation?: InvitedTo;
}

/** The organization and role of an invitation. */
export interface InvitedTo {
  readonly organizationId: string;
  readonly roleId: string;
  /** The inviting workspace user. */
  readonly invitedBy: string;
}

export interface Link {
  readonly id: string;
  readonly purpose: Purpose;
  readonly email: string;
  readonly details: LinkDetails;
  readonly invitation: InvitedTo | undefined;
  /** In milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface Links {
  /** Makes a link; the secret cannot be read later. */
  make(link: NewLink): Promise<{ readonly link: Link; readonly secret: string }>;
  /** The link, if it is valid; it stays usable. */
  look(secret: string): Promise<Link | undefined>;
  /** Uses the link up and returns it if it was valid; only one of concurrent calls succeeds, also among all signup links of an address. */
  use(secret: string): Promise<Link | undefined>;
  /** Makes a used link valid again, after a failure. */
  giveBack(id: string): Promise<void>;
  /** Ends all other sign-in links of the address, also those given back later. */
  endOthers(link: Pick<Link, 'id' | 'email'>): Promise<void>;
  /** The number of links sent to the address since that time (milliseconds), except `id` and invitations. */
  countSince(email: string, since: number, id: string): Promise<number>;
  /** Unused invitations to the organization, oldest first, including expired ones until they are removed. */
  invitations(organizationId: string): Promise<readonly Link[]>;
  /** Withdraws all invitations of the address. */
  withdrawAll(organizationId: string, email: string): Promise<void>;
  /** Withdraws an invitation; returns false if there is no unused one with that id. */
  withdraw(organizationId: string, id: string): Promise<boolean>;
  /** Removes expired links. */
  forget(): Promise<void>;
}

export const lifetimesMs: Readonly<Record<Purpose, number>> = {
  'sign-in': 15 * 60_000,
  signup: 15 * 60_000,
  invitation: 7 * 24 * 3_600_000,
};
const keptMs = 7 * 24 * 3_600_000;
const mostInvitations = 500;

/** Makes the links in the control schema on `main`. */
export function createLinks(main: Database, clock: Clock): Links {
  const now = () => time(clock.now());
  return {
    async make({ id = newId(), purpose, email, details = {}, invitation }) {
      const secret = newSecret();
      const createdAt = clock.now();
      const row = sql`insert into kith.sign_in_links
          (id, hash, purpose, email, organization_id, role_id, invited_by, details, created_at, expires_at)
        values (${id}::uuid, ${hashOf(secret)}, ${purpose}, ${email.trim().toLowerCase()},
          ${invitation?.organizationId ?? null}::uuid, ${invitation?.roleId ?? null}::uuid,
          ${invitation?.invitedBy ?? null}::uuid, ${JSON.stringify(details)}::jsonb, ${time(createdAt)},
          ${time(createdAt + lifetimesMs[purpose])})
        on conflict (id) do update set hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at
        returning ${columns}`;
      return { link: readLink((await controlRows(main, row))[0]), secret };
    },
    async look(secret) {
      const query = sql`select ${columns} from kith.sign_in_links where ${good(secret, now())}`;
      const [row] = await controlRows(main, query);
      return row && readLink(row);
    },
    async use(secret) {
      const rows = await controlRows(main, useUp(secret, now()));
      const row = rows.find((one) => one.at(-1) === hashOf(secret));
      return row && readLink(row);
    },
    async giveBack(id) {
      await controlRows(main, sql`update kith.sign_in_links set used_at = null where id = ${id}::uuid`);
    },
    async endOthers({ email, id }) {
      // Expires them as well: one that is being used may be given back.
      await controlRows(
        main,
        sql`update kith.sign_in_links set used_at = coalesce(used_at, ${now()}), expires_at = ${now()}
          where email = ${email} and purpose <> 'invitation' and id <> ${id}::uuid and expires_at > ${now()}`,
      );
    },
    async countSince(email, since, id) {
      const query = sql`select count(*) from kith.sign_in_links
        where email = ${email} and purpose <> 'invitation' and created_at > ${time(since)} and id <> ${id}::uuid`;
      return Number(textOf((await controlRows(main, query))[0], 0));
    },
    async invitations(organizationId) {
      const query = sql`select ${columns} from kith.sign_in_links where ${unused(organizationId)}
        order by created_at, id limit ${mostInvitations}::integer`;
      return (await controlRows(main, query)).map(readLink);
    },
    async withdrawAll(organizationId, email) {
      const query = sql`delete from kith.sign_in_links where email = ${email.trim().toLowerCase()} and ${unused(organizationId)}`;
      await controlRows(main, query);
    },
    async withdraw(organizationId, id) {
      const query = sql`delete from kith.sign_in_links where id = ${id}::uuid and ${unused(organizationId)} returning id`;
      return (await controlRows(main, query)).length > 0;
    },
    async forget() {
      await controlRows(main, sql`delete from kith.sign_in_links where expires_at < ${time(clock.now() - keptMs)}`);
    },
  };
}

const columns = sql`id, purpose, email, details::text, organization_id, role_id, invited_by,
  round(extract(epoch from created_at) * 1000)::bigint, round(extract(epoch from expires_at) * 1000)::bigint`;

function good(secret: string, now: Sql): Sql {
  return sql`hash = ${hashOf(secret)} and used_at is null and expires_at > ${now}`;
}

/** Uses up all signup links of the address together: a second caller waits for the first and finds none. Rows are locked in one order. */
function useUp(secret: string, now: Sql): Sql {
  return sql`update kith.sign_in_links set used_at = ${now} where id in (
      select l.id from kith.sign_in_links l, kith.sign_in_links given
        where given.hash = ${hashOf(secret)} and given.used_at is null and given.expires_at > ${now} and l.used_at is null
          and (l.id = given.id or l.purpose = 'signup' and given.purpose = 'signup' and l.email = given.email)
        order by l.id for update of l)
    returning ${columns}, hash`;
}

function unused(organizationId: string): Sql {
  return sql`organization_id = ${organizationId}::uuid and purpose = 'invitation' and used_at is null`;
}

/** A time of this process's clock in milliseconds, as SQL. */
export function time(millis: number): Sql {
  return sql`to_timestamp(${millis / 1000}::double precision)`;
}

function readLink(row: Row | undefined): Link {
  const [organizationId, roleId, invitedBy] = row?.slice(4, 7) ?? [];
  const details = parseJson(textOf(row, 3));
  return {
    id: textOf(row, 0),
    purpose: textOf(row, 1) as Purpose, // the table has no other values
    email: textOf(row, 2),
    details: isObject(details) ? details : {},
    invitation: organizationId && roleId && invitedBy ? { organizationId, roleId, invitedBy } : undefined,
    createdAt: Number(textOf(row, 7)),
    expiresAt: Number(textOf(row, 8)),
  };
}

/** The same error for every reason. */
export const badLink = () => errors.unauthorized('The link is not valid: it is unknown, used or expired');
