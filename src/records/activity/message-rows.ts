/**
 * Which messages a contact or a company takes part in, and how many. Each address gives its latest messages by an index, however many
 * there are. A company may have thousands of addresses: those of many contacts are looked at where nobody waits behind it, and
 * what was found is remembered until something changes that decides it.
 */
import { hash } from 'node:crypto';
import type { Call } from '../../access/call.ts';
import { addressesOf } from '../../model/contact-addresses.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, empty, join, sql, statement, trusted, type Sql } from '../../postgres/sql.ts';
import type { Position } from '../../query/cursor.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { Listing } from '../../query/plan-page.ts';
import { visibleRow } from '../../query/where.ts';
import { isShared, opens, shownAddressFields } from '../conversations/sight.ts';
import { internalObject } from '../reading/named.ts';

/** Whose messages, and which. */
export interface Talking {
  readonly objectName: string;
  readonly recordId: string;
  /** Of all channels where it is absent. */
  readonly channel?: string | undefined;
  /** Of a company: those of this contact alone. */
  readonly contactId?: string | undefined;
}

/** So many contacts of a company have their addresses looked at while others wait. */
const fewContacts = 500;

/** A page of messages that was found, with one more where there is one, and how many there are in all. */
export interface FoundMessages {
  readonly version: string;
  readonly total: number;
  readonly ids: readonly string[];
}

export type MessageRows = Required<Pick<Listing, 'rows' | 'total' | 'before'>> & Pick<Listing, 'hasVersion'>;

export interface MessagesOf {
  /** All of them, however long that takes. */
  readonly all: MessageRows;
  /** Of a company: what takes long. */
  readonly many?: {
    /** Under what a page of them is remembered, beside its limit and cursor. */
    readonly cacheKey: string;
    /**
     * Of a company with few contacts all messages, without a version. Of another the `remembered` ones where they are of the present
     * version; else none, and no total.
     */
    quick(remembered: FoundMessages | undefined): MessageRows;
  };
}

interface Parts {
  readonly call: Call;
  readonly contacts: ObjectDef;
  readonly talking: Talking;
}

/** The messages of the record that the caller may see. */
export function messagesOf(call: Call, contacts: ObjectDef, talking: Talking): MessagesOf {
  const reads = new Set([internalObject(call, 'interactions').id]);
  const parts = { call, contacts, talking };
  const before = sql`with ${talksOf(parts, reads)}`;
  const byAddress: MessageRows['rows'] = (position, most) => tableRows(call, latestByAddress(parts, position, most));
  if (talking.objectName !== 'companies' || talking.contactId !== undefined)
    return { all: { before, rows: byAddress, total: sql`select (${countOf(parts)}) as total` } };
  const { model, me } = call;
  const { text, values } = statement(before);
  const identity = [model.organizationId, model.epoch, model.version, me, talking, text, values];
  const state = stateOf(call, reads);
  const total = sql`select (${countOf(parts)}) as total, s.version from (${state}) s`;
  return {
    all: { before, rows: byAddress, total, hasVersion: true },
    many: {
      cacheKey: hash('sha256', JSON.stringify(identity), 'base64url'),
      quick: (remembered) => quickRows(parts, before, state, remembered),
    },
  };
}

function quickRows(parts: Parts, before: Sql, state: Sql, remembered: FoundMessages | undefined): MessageRows {
  const { version = null, total = null, ids = [] } = remembered ?? {};
  const known = sql`now as materialized (select l.is_large, s.version, s.version = ${version}::text as holds
    from (select ${hasMany(parts)} as is_large) l, (${state}) s)`;
  return {
    before: sql`${before}, ${known}`,
    rows: (position, most) =>
      tableRows(
        parts.call,
        sql`select null::timestamptz as date, p.id as interaction_id from unnest(${ids}::uuid[]) p (id) where (select now.is_large and now.holds from now)
          union all select p.* from (${latestByAddress(parts, position, most)}) p where (select not now.is_large from now)`,
      ),
    total: sql`select case when not now.is_large then (${countOf(parts)}) when now.holds then ${total}::bigint end as total,
      case when now.is_large then now.version end as version from now`,
    hasVersion: true,
  };
}

/** `found` has the ids of messages. */
function tableRows(call: Call, found: Sql) {
  const table = call.workspace.table('_interactions');
  // One by one: PostgreSQL does not know how few they are, and would read all messages.
  const each = sql`select m.* from ${table} m where m.id = k.interaction_id limit 1`;
  return { row: sql`i`, table, from: sql`(${found}) k cross join lateral (${each}) i` };
}

/**
 * A clause `talks`: rows `address`, `is_open` and `messages` of the contacts that the record stands for and the caller sees, of which
 * each takes part in messages that are there for it. What decides them is added to `reads`.
 */
function talksOf(parts: Parts, reads: Set<string>): Sql {
  const { call, contacts, talking } = parts;
  const open = opens(call, contacts, sql`m.address`, reads);
  const known = sql`select m.*, ${open} as is_open from (${addressesOfContacts(parts, reads)}) u
    join ${table(parts, '_addresses')} m on m.address = u.address where ${and([sql`true`, ...ofChannel(talking, sql`m`)])}`;
  return sql`talks as materialized (select a.address, a.is_open, sum(a.messages) as messages
    from (${known}) a where ${isShared(call, sql`a`, sql`a.is_open`)} group by a.address, a.is_open)`;
}

/** The latest messages of all addresses, of which each gives its own. */
function latestByAddress(parts: Parts, position: Position | undefined, most: number): Sql {
  const latest = sql`order by p.date desc, p.interaction_id desc limit ${trusted(String(most))}`;
  return sql`select distinct p.date, p.interaction_id from talks a cross join lateral (
      select p.date, p.interaction_id from ${table(parts, '_participants')} p
      where ${askedOf(parts, sql`p`)}${behind(position)} ${latest}) p ${latest}`;
}

function behind(position: Position | undefined): Sql {
  if (!position) return empty;
  return sql` and (p.date, p.interaction_id) < (${position.keys[0] ?? null}::timestamptz, ${position.id}::uuid)`;
}

/** How many messages there are. Of one address it is known; of several, a message may have two. */
function countOf(parts: Parts): Sql {
  return sql`select case when (select count(*) from talks) <= 1 then (select coalesce(sum(a.messages), 0) from talks a)
    else (select count(distinct p.interaction_id) from talks a cross join lateral (
      select p.interaction_id from ${table(parts, '_participants')} p where ${askedOf(parts, sql`p`)} offset 0) p) end`;
}

/** Whether the company has more contacts than are looked at while others wait. */
function hasMany(parts: Parts): Sql {
  const some = sql`select from ${table(parts, parts.contacts.table)} who
    where ${ofRecord(parts.talking)} and who.deleted_at is null limit ${fewContacts + 1}::int`;
  return sql`((select count(*) from (${some}) who) > ${fewContacts}::int)`;
}

/** One row: the `version` of all that decides which messages there are. */
function stateOf(call: Call, reads: ReadonlySet<string>): Sql {
  const users = sql`select coalesce(sum(hashtextextended(lower(u.email), 0)::numeric), 0) from ${call.workspace.table('_users')} u`;
  return sql`select concat(coalesce(sum(o.version), 0), ' ', (${users})) as version
    from ${call.workspace.table('_state')} o where o.object_id = any(${[...reads].toSorted()}::uuid[])`;
}

/** Whether the participant `row` is of the address `a`, there for the caller and asked for. */
function askedOf({ call, talking }: Parts, row: Sql): Sql {
  return and([isShared(call, row, sql`a.is_open`), ...ofChannel(talking, row), sql`${row}.address = a.address`]);
}

function ofChannel({ channel }: Talking, row: Sql): readonly Sql[] {
  return channel === undefined ? [] : [sql`${row}.channel = ${channel}`];
}

function ofRecord({ objectName, recordId }: Talking): Sql {
  return objectName === 'companies' ? sql`who.company_id = ${recordId}::uuid` : sql`who.id = ${recordId}::uuid`;
}

function addressesOfContacts({ call, contacts, talking }: Parts, reads: Set<string>): Sql {
  const { contactId } = talking;
  const who = objectScope(call, contacts, 'who', reads);
  const ofContact = contactId === undefined ? [] : [sql`who.id = ${contactId}::uuid`];
  const all = join(
    shownAddressFields(call, contacts).map((field) => sql`coalesce(${addressesOf(field, who.row)}, '{}')`),
    ' || ',
  );
  return sql`select distinct u.address from ${call.workspace.table(contacts.table)} who
    cross join lateral unnest(${all}) u (address) where ${and([ofRecord(talking), ...ofContact, visibleRow(who)])}`;
}

function table({ call }: Parts, name: string): Sql {
  return call.workspace.table(name);
}
