/**
 * The messages in which a contact or a company takes part, and their number. Each address finds its latest messages
 * by an index. A company may have thousands of addresses: with many contacts it is read where nobody waits behind it,
 * and the result is cached until a deciding row changes.
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

/** The participant, and the filter on messages. */
export interface Talking {
  readonly objectName: string;
  readonly recordId: string;
  /** Defaults to all channels. */
  readonly channel?: string | undefined;
  /** For a company: only the messages of this contact. */
  readonly contactId?: string | undefined;
}

/** Contacts whose addresses may be read while others wait. */
const fewContacts = 500;

/** A page of messages with one more if there is one, and the total. */
export interface FoundMessages {
  readonly version: string;
  readonly ids: readonly string[];
  readonly total: number;
}

export type MessageRows = Required<Pick<Listing, 'rows' | 'total' | 'clauses'>> & Pick<Listing, 'hasVersion'>;

export interface MessagesOf {
  /** All messages, however long that takes. */
  readonly all: MessageRows;
  /** For a company: the slow case. */
  readonly many?: {
    /** Identifies the cached page, together with its limit and cursor. */
    readonly cacheKey: string;
    /**
     * For a company with few contacts, all messages without a version. For another, the `remembered` ones if of the
     * current version; else none, and no total.
     */
    quick(remembered: FoundMessages | undefined): MessageRows;
  };
}

interface MessageQuery {
  readonly call: Call;
  readonly contacts: ObjectDef;
  readonly talking: Talking;
}

/** The record's messages that the caller may see. */
export function messagesOf(call: Call, contacts: ObjectDef, talking: Talking): MessagesOf {
  const reads = new Set([internalObject(call, 'interactions').id]);
  const query = { call, contacts, talking };
  const talks = talksOf(query, reads);
  const clauses = [talks];
  const byAddress: MessageRows['rows'] = (position, most) => tableRows(call, latestByAddress(query, position, most));
  if (talking.objectName !== 'companies' || talking.contactId !== undefined)
    return { all: { clauses, rows: byAddress, total: sql`select (${countOf(query)}) as total` } };
  const { model, me } = call;
  const { text, values } = statement(talks);
  const identity = [model.organizationId, model.epoch, model.version, me, talking, text, values];
  const state = stateOf(call, reads);
  const total = sql`select (${countOf(query)}) as total, s.version from (${state}) s`;
  return {
    all: { clauses, rows: byAddress, total, hasVersion: true },
    many: {
      cacheKey: hash('sha256', JSON.stringify(identity), 'base64url'),
      quick: (remembered) => quickRows(query, talks, state, remembered),
    },
  };
}

function quickRows(query: MessageQuery, talks: Sql, state: Sql, remembered: FoundMessages | undefined): MessageRows {
  const { version = null, total = null, ids = [] } = remembered ?? {};
  const known = sql`now as materialized (select l.is_large, s.version, s.version = ${version}::text as holds
    from (select ${hasMany(query)} as is_large) l, (${state}) s)`;
  return {
    clauses: [talks, known],
    rows: (position, most) =>
      tableRows(
        query.call,
        sql`select null::timestamptz as date, p.id as interaction_id from unnest(${ids}::uuid[]) p (id) where (select now.is_large and now.holds from now)
          union all select p.* from (${latestByAddress(query, position, most)}) p where (select not now.is_large from now)`,
      ),
    total: sql`select case when not now.is_large then (${countOf(query)}) when now.holds then ${total}::bigint end as total,
      case when now.is_large then now.version end as version from now`,
    hasVersion: true,
  };
}

/** `found` selects message ids. */
function tableRows(call: Call, found: Sql) {
  const table = call.workspace.table('_interactions');
  // Looked up one by one: PostgreSQL does not know how few there are, and would scan all messages.
  const each = sql`select m.* from ${table} m where m.id = k.interaction_id limit 1`;
  return { row: sql`i`, table, from: sql`(${found}) k cross join lateral (${each}) i` };
}

/**
 * The clause `talks`: rows `address`, `is_open` and `messages` of the visible contacts that the record stands for,
 * with messages that exist for the caller. The deciding objects are added to `reads`.
 */
function talksOf(query: MessageQuery, reads: Set<string>): Sql {
  const { call, contacts, talking } = query;
  const open = opens(call, contacts, sql`m.address`, reads);
  const known = sql`select m.*, ${open} as is_open from (${addressesOfContacts(query, reads)}) u
    join ${table(query, '_addresses')} m on m.address = u.address where ${and([sql`true`, ...ofChannel(talking, sql`m`)])}`;
  return sql`talks as materialized (select a.address, a.is_open, sum(a.messages) as messages
    from (${known}) a where ${isShared(call, sql`a`, sql`a.is_open`)} group by a.address, a.is_open)`;
}

/** The latest messages over all addresses, merged from the latest of each. */
function latestByAddress(query: MessageQuery, position: Position | undefined, most: number): Sql {
  const latest = sql`order by p.date desc, p.interaction_id desc limit ${trusted(String(most))}`;
  return sql`select distinct p.date, p.interaction_id from talks a cross join lateral (
      select p.date, p.interaction_id from ${table(query, '_participants')} p
      where ${matchesRequest(query, sql`p`)}${behind(position)} ${latest}) p ${latest}`;
}

function behind(position: Position | undefined): Sql {
  if (!position) return empty;
  return sql` and (p.date, p.interaction_id) < (${position.keys[0] ?? null}::timestamptz, ${position.id}::uuid)`;
}

/** The number of messages: stored for a single address; counted for several, which may share messages. */
function countOf(query: MessageQuery): Sql {
  return sql`select case when (select count(*) from talks) <= 1 then (select coalesce(sum(a.messages), 0) from talks a)
    else (select count(distinct p.interaction_id) from talks a cross join lateral (
      select p.interaction_id from ${table(query, '_participants')} p where ${matchesRequest(query, sql`p`)} offset 0) p) end`;
}

/** Whether the company has more than `fewContacts` contacts. */
function hasMany(query: MessageQuery): Sql {
  const some = sql`select from ${table(query, query.contacts.table)} who
    where ${ofRecord(query.talking)} and who.deleted_at is null limit ${fewContacts + 1}::int`;
  return sql`((select count(*) from (${some}) who) > ${fewContacts}::int)`;
}

/** One row: the `version` of everything that decides which messages there are. */
function stateOf(call: Call, reads: ReadonlySet<string>): Sql {
  const users = sql`select coalesce(sum(hashtextextended(lower(u.email), 0)::numeric), 0) from ${call.workspace.table('_users')} u`;
  return sql`select concat(coalesce(sum(o.version), 0), ' ', (${users})) as version
    from ${call.workspace.table('_state')} o where o.object_id = any(${[...reads].toSorted()}::uuid[])`;
}

/** Whether the participant `row` has the address `a`, exists for the caller, and matches the request. */
function matchesRequest({ call, talking }: MessageQuery, row: Sql): Sql {
  return and([isShared(call, row, sql`a.is_open`), ...ofChannel(talking, row), sql`${row}.address = a.address`]);
}

function ofChannel({ channel }: Talking, row: Sql): readonly Sql[] {
  return channel === undefined ? [] : [sql`${row}.channel = ${channel}`];
}

function ofRecord({ objectName, recordId }: Talking): Sql {
  return objectName === 'companies' ? sql`who.company_id = ${recordId}::uuid` : sql`who.id = ${recordId}::uuid`;
}

function addressesOfContacts({ call, contacts, talking }: MessageQuery, reads: Set<string>): Sql {
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

function table({ call }: MessageQuery, name: string): Sql {
  return call.workspace.table(name);
}
