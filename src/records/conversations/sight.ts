/** Who sees what of messages and meetings. [spec: Inbox, Interaction visibility; contract: Ingest] */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import { hasAddress } from '../../model/contact-addresses.ts';
import { and, or, sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { visibleRow } from '../../query/where.ts';

/** In place of what is hidden from all but the owner of a conversation. */
export const placeholder = '[Hidden by the owner of this conversation]';

/** Channels whose messages others than the owner may see, as far as the content visibility goes. */
export const sharedChannels = ['email', 'meeting'] as const;

/** What of a message is shown. */
export interface Shown {
  readonly subject: boolean;
  readonly content: boolean;
}

/** By whether it is the caller's own, and by its thread's content visibility. */
export function shownOf(isOwn: boolean, contentVisibility: string | null | undefined): Shown {
  if (isOwn || contentVisibility === 'full') return { subject: true, content: true };
  return { subject: contentVisibility !== 'none', content: false };
}

/** Whether the row `row` is of the caller's own account. */
export function isOwn({ me }: Call, row: Sql): Sql {
  return sql`${row}.owner_id = ${me}::uuid`;
}

/** Whether the message or participant `row` is there for the caller, as far as its channel decides. */
export function isShared(call: Call, row: Sql): Sql {
  return or([isOwn(call, row), sql`${row}.channel = any(${[...sharedChannels]}::text[])`]);
}

/**
 * Whether the caller may read the message `row`: its own, or one of a shared channel, unless all contacts that take part are
 * hidden from it.
 */
export function mayRead(call: Call, row: Sql): Sql {
  const addresses = sql`select p.address from ${call.workspace.table('_participants')} p where p.interaction_id = ${row}.id`;
  return and([
    sql`${row}.deleted_at is null`,
    isShared(call, row),
    or([isOwn(call, row), sql`not (${takesPart(call, addresses, 'known')})`, takesPart(call, addresses, 'seen')]),
  ]);
}

/** Whether the meeting `row` is there for the caller: its own, or one in which a contact or company takes part that it may view. */
export function maySeeEvent(call: Call, row: Sql): Sql {
  const addresses = sql`select a.address from ${call.workspace.table('_event_attendees')} a where a.event_id = ${row}.id`;
  return and([sql`${row}.deleted_at is null`, or([isOwn(call, row), takesPart(call, addresses, 'seen')])]);
}

/** Whether a contact has one of the addresses that `addresses` selects: any, or one that the caller sees by itself or by its company. */
function takesPart(call: Call, addresses: Sql, which: 'known' | 'seen'): Sql {
  const contacts = contactsIn(call);
  if (!contacts) return sql`false`;
  const condition = which === 'known' ? sql`who.deleted_at is null` : isSeen(call, contacts);
  const who = contactsWith(call, contacts, sql`takes.address`);
  return sql`exists (select from (${addresses}) takes (address) cross join lateral ${who} where ${condition})`;
}

/**
 * Contacts with the address, as the table `who`. They are found by the address alone, before anything else is asked of them: going
 * through all contacts to see whether one has it takes far too long, and PostgreSQL may guess that it does not.
 */
export function contactsWith({ workspace }: Call, contacts: ObjectDef, address: Sql): Sql {
  return sql`(select who.* from ${workspace.table(contacts.table)} who
    where ${hasAddress(contacts, sql`who`, sql`array[${address}]`)} offset 0) who`;
}

/** Whether the caller sees the contact `who`, or the company that it is at. */
function isSeen(call: Call, contacts: ObjectDef): Sql {
  const companies = call.model.objects.get('companies');
  const own = visibleRow(objectScope(call, contacts, 'who'));
  if (companies?.kind !== 'builtIn' || !contacts.attributes.has('company_id')) return own;
  return or([
    own,
    sql`who.deleted_at is null and exists (select from ${call.workspace.table(companies.table)} employer
      where employer.id = who.company_id and ${visibleRow(objectScope(call, companies, 'employer'))})`,
  ]);
}

/** The object whose records are matched with participants; undefined where the organization has none. */
export function contactsIn({ model }: Pick<Call, 'model'>): ObjectDef | undefined {
  const contacts = model.objects.get('contacts');
  return contacts?.kind === 'builtIn' ? contacts : undefined;
}
