/** Who sees what of messages and meetings. [spec: Inbox, Interaction visibility; contract: Ingest] */
import type { Call } from '../../access/call.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { addressFields, addressesOf } from '../../model/contact-addresses.ts';
import { and, join, or, sql, trusted, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { admitsAll, visibleRow } from '../../query/where.ts';

/** In place of what is hidden from all but the owner of a conversation. */
export const placeholder = '[Hidden by the owner of this conversation]';

/** Channels whose messages others than the owner may see, as far as the content visibility goes. */
const sharedChannels = ['email', 'meeting'] as const;

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

/** Whether the message or participant `row` is there for the caller, as far as its channel decides; others' only where `isOpen`. */
export function isShared(call: Call, row: Sql, isOpen: Sql = sql`true`): Sql {
  return or([isOwn(call, row), and([sql`${row}.channel = any(${[...sharedChannels]}::text[])`, isOpen])]);
}

/**
 * Whether the caller may read the message `row`: its own, or one of a shared channel, unless all contacts that take part, also
 * those in the trash, are hidden from it.
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
 * Whether the meeting `row` is there for the caller: its own, or one in which a contact or company takes part that it may view.
 * `span` is a condition on the rows `a` of attendees that limits which there are: each address is looked at once.
 */
export function maySeeEvent(call: Call, row: Sql, span: Sql): Sql {
  const attendees = call.workspace.table('_event_attendees');
  const seen = sql`select a.event_id from ${attendees} a join (
      select x.address from (select distinct a.address from ${attendees} a where ${span} offset 0) x
      where ${isSeen(call, sql`select x.address`)}) s on s.address = a.address where ${span}`;
  return and([sql`${row}.deleted_at is null`, or([isOwn(call, row), sql`${row}.id in (${seen})`])]);
}

/** Whether any contact has one of the addresses that `addresses` selects. */
function isKnown(call: Call, addresses: Sql): Sql {
  const contacts = contactsIn(call);
  if (!contacts) return sql`false`;
  const known = contactsWith(call, contacts, addressFields(contacts), sql`takes.address`, 'known');
  return sql`exists (select from (${addresses}) takes (address) cross join lateral ${known}
    where ${isNobodysOwn(call, sql`takes.address`)})`;
}

/** Whether one of the addresses opens what others wrote to it: the caller sees a contact that has it, by itself or by its company. */
function isSeen(call: Call, addresses: Sql): Sql {
  const contacts = contactsIn(call);
  const fields = contacts && shownAddressFields(call, contacts);
  if (!contacts || !fields || fields.length === 0) return sql`false`;
  const seen = or([visibleRow(objectScope(call, contacts, 'who')), ...sightOfEmployer(call, contacts)]);
  const who = contactsWith(call, contacts, fields, sql`takes.address`, 'who');
  return sql`exists (select from (${addresses}) takes (address) cross join lateral ${who}
    where ${seen} and ${opens(call, contacts, sql`takes.address`)})`;
}

/**
 * The contacts that have the address in one of the fields, as a table of that name. They are found by the address alone, before
 * anything else is asked of them, and field by field: PostgreSQL may guess that going through all contacts is quicker, and it is not.
 */
export function contactsWith(
  { workspace }: Call,
  contacts: ObjectDef,
  fields: readonly FieldDef[],
  address: Sql,
  name: string,
): Sql {
  const row = trusted(name);
  const having = (condition: Sql) =>
    sql`select ${row}.* from ${workspace.table(contacts.table)} ${row} where ${condition}`;
  // No address of one kind is one of another, so that no contact comes twice.
  const found = fields.map((field) => having(sql`${addressesOf(field, row)} && array[${address}]`));
  return sql`(${found.length === 0 ? having(sql`false`) : join(found, ' union all ')} offset 0) ${row}`;
}

/**
 * Whether an address of a contact that the caller sees opens what others wrote to it: it is no user's own, and no contact has it
 * that the caller does not see. Else whoever may make a contact could open what it likes. The objects that decide it are added to
 * `reads`, beside the addresses of users.
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

/** Whether the caller sees the company of the contact that the statement calls `alias`; nothing where the role hides where contacts work. */
function sightOfEmployer(call: Call, contacts: ObjectDef, alias = 'who', reads?: Set<string>): readonly Sql[] {
  const companies = call.model.objects.get('companies');
  if (companies?.kind !== 'builtIn' || !seesEmployer(call, contacts)) return [];
  const contact = trusted(alias);
  return [
    sql`(${contact}.deleted_at is null and exists (select from ${call.workspace.table(companies.table)} employer
      where employer.id = ${contact}.company_id and ${visibleRow(objectScope(call, companies, 'employer', reads))}))`,
  ];
}

/** Whether the role shows at which company a contact is. */
export function seesEmployer({ visibility }: Call, contacts: ObjectDef): boolean {
  return contacts.attributes.has('company_id') && visibility.shows(contacts.name, 'company_id');
}

/** The fields of contacts that hold addresses, of those that the role shows. */
export function shownAddressFields({ visibility }: Call, contacts: ObjectDef): readonly FieldDef[] {
  return addressFields(contacts).filter(({ name }) => visibility.shows(contacts.name, name));
}

/** The object whose records are matched with participants; undefined where the organization has none. */
export function contactsIn({ model }: Pick<Call, 'model'>): ObjectDef | undefined {
  const contacts = model.objects.get('contacts');
  return contacts?.kind === 'builtIn' ? contacts : undefined;
}
