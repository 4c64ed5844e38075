/** Who sees which parts of messages and meetings. [spec: Inbox, Interaction visibility; contract: Ingest] */
import type { Call } from '../../access/call.ts';
import { sharedChannels } from '../../model/channels.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { addressFields, addressesOf } from '../../model/contact-addresses.ts';
import { and, join, or, sql, trusted, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { ObjectScope } from '../../query/row-scope.ts';
import { admitsAll, visibleRow } from '../../query/where.ts';

/** Replaces what only the owner of a conversation may see. */
export const placeholder = '[Hidden by the owner of this conversation]';

/** The shown parts of a message. */
export interface Shown {
  readonly subject: boolean;
  readonly content: boolean;
}

/** The parts that the caller sees, by ownership and the thread's content visibility. */
export function shownOf(isOwn: boolean, contentVisibility: string | null | undefined): Shown {
  if (isOwn || contentVisibility === 'full') return { subject: true, content: true };
  return { subject: contentVisibility !== 'none', content: false };
}

/** Whether the row `row` belongs to the caller's own account. */
export function isOwn({ me }: Call, row: Sql): Sql {
  return sql`${row}.owner_id = ${me}::uuid`;
}

/** Whether the channel of the message or participant `row` admits the caller; for others' rows `isOpen` must hold, too. */
export function isShared(call: Call, row: Sql, isOpen: Sql = sql`true`): Sql {
  return or([isOwn(call, row), and([sql`${row}.channel = any(${[...sharedChannels]}::text[])`, isOpen])]);
}

/**
 * Whether the caller may read the message `row`: the caller's own, or one of a shared channel, unless all contacts that
 * take part, including trashed ones, are hidden from the caller.
 */
export function mayRead(call: Call, row: Sql): Sql {
  const addresses = sql`select p.address from ${call.workspace.table('_participants')} p where p.interaction_id = ${row}.id`;
  return and([
    sql`${row}.deleted_at is null`,
    isShared(call, row),
    or([isOwn(call, row), sql`not (${isKnown(call, addresses)})`, isSeen(call, addresses)]),
  ]);
}

/**
 * Whether the caller may see the meeting `row`: the caller's own, or one with a contact or company that the caller may
 * view. `span` restricts the attendee rows `a`, so that each address is looked up once.
 */
export function maySeeEvent(call: Call, row: Sql, span: Sql): Sql {
  const attendees = call.workspace.table('_event_attendees');
  const seen = sql`select a.event_id from ${attendees} a join (
      select x.address from (select distinct a.address from ${attendees} a where ${span} offset 0) x
      where ${isSeen(call, sql`select x.address`)}) s on s.address = a.address where ${span}`;
  return and([sql`${row}.deleted_at is null`, or([isOwn(call, row), sql`${row}.id in (${seen})`])]);
}

/** Whether any contact has one of the selected `addresses`. */
function isKnown(call: Call, addresses: Sql): Sql {
  const contacts = contactsIn(call);
  if (!contacts) return sql`false`;
  const known = contactsWith(call, contacts, addressFields(contacts), sql`takes.address`, 'known');
  return sql`exists (select from (${addresses}) takes (address) cross join lateral ${known}
    where ${isNobodysOwn(call, sql`takes.address`)})`;
}

/**
 * Whether one of the addresses gives access to others' messages: the caller sees a contact with it, directly or
 * through its company.
 */
function isSeen(call: Call, addresses: Sql): Sql {
  const shown = contactsByAddress(call);
  if (!shown) return sql`false`;
  const { contacts, who, having } = shown;
  const seen = or([visibleRow(who), ...sightOfEmployer(call, contacts)]);
  return sql`exists (select from (${addresses}) takes (address) cross join lateral ${having(sql`takes.address`)}
    where ${seen} and ${opens(call, contacts, sql`takes.address`)})`;
}

/** Contacts by the addresses that the caller sees of them. */
export interface ContactsByAddress {
  readonly contacts: ObjectDef;
  /** Their row, under the alias `who`. */
  readonly who: ObjectScope;
  /** Those with the address, as `from …` item `who`, whether the caller sees them or not. */
  having(address: Sql): Sql;
}

/** Undefined without contacts, and where the role shows none of their addresses. */
export function contactsByAddress(call: Call): ContactsByAddress | undefined {
  const contacts = contactsIn(call);
  const fields = contacts && shownAddressFields(call, contacts);
  if (!contacts || !fields || fields.length === 0) return undefined;
  const who = objectScope(call, contacts, 'who');
  return { contacts, who, having: (address) => contactsWith(call, contacts, fields, address, who.alias) };
}

/**
 * The contacts with the address in one of the fields, under that alias. The address is looked up first, field by
 * field, since PostgreSQL may prefer a slower scan of all contacts.
 */
function contactsWith(
  { workspace }: Call,
  contacts: ObjectDef,
  fields: readonly FieldDef[],
  address: Sql,
  name: string,
): Sql {
  const row = trusted(name);
  const having = (condition: Sql) =>
    sql`select ${row}.* from ${workspace.table(contacts.table)} ${row} where ${condition}`;
  // Addresses of different kinds never match, so no contact is returned twice.
  const found = fields.map((field) => having(sql`${addressesOf(field, row)} && array[${address}]`));
  return sql`(${found.length === 0 ? having(sql`false`) : join(found, ' union all ')} offset 0) ${row}`;
}

/**
 * Whether an address of a visible contact gives access to others' messages: it belongs to no user, and to no contact
 * that the caller does not see. Otherwise a caller who may create contacts could read anything. The deciding objects
 * are added to `reads`, besides the addresses of users.
 */
export function opens(call: Call, contacts: ObjectDef, address: Sql, reads?: Set<string>): Sql {
  const isOpen = isNobodysOwn(call, address);
  if (admitsAll(call.visibility.rows(contacts.name), contacts)) return isOpen;
  const other = objectScope(call, contacts, 'other', reads);
  const seen = or([visibleRow(other), ...sightOfEmployer(call, contacts, 'other', reads)]);
  const having = contactsWith(call, contacts, addressFields(contacts), address, 'other');
  const hidden = sql`exists (select from ${having} where other.deleted_at is null and not ${seen})`;
  return and([isOpen, sql`not ${hidden}`]);
}

function isNobodysOwn(call: Call, address: Sql): Sql {
  return sql`not exists (select from ${call.workspace.table('_users')} own where lower(own.email) = ${address})`;
}

/** Conditions that the caller sees the company of the contact `alias`; empty where the role hides the employer. */
function sightOfEmployer(call: Call, contacts: ObjectDef, alias = 'who', reads?: Set<string>): readonly Sql[] {
  const companies = call.model.objects.get('companies');
  if (companies?.kind !== 'builtIn' || !seesEmployer(call, contacts)) return [];
  const contact = trusted(alias);
  return [
    sql`(${contact}.deleted_at is null and exists (select from ${call.workspace.table(companies.table)} employer
      where employer.id = ${contact}.company_id and ${visibleRow(objectScope(call, companies, 'employer', reads))}))`,
  ];
}

/** Whether the role shows a contact's company. */
export function seesEmployer({ visibility }: Call, contacts: ObjectDef): boolean {
  return contacts.attributes.has('company_id') && visibility.shows(contacts.name, 'company_id');
}

/** The address fields of contacts that the role shows. */
export function shownAddressFields({ visibility }: Call, contacts: ObjectDef): readonly FieldDef[] {
  return addressFields(contacts).filter(({ name }) => visibility.shows(contacts.name, name));
}

/** The contacts object, which participants are matched with; undefined if the organization has none. */
export function contactsIn({ model }: Pick<Call, 'model'>): ObjectDef | undefined {
  const contacts = model.objects.get('contacts');
  return contacts?.kind === 'builtIn' ? contacts : undefined;
}
