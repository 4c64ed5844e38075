/**
 * Messages in the activity of a contact or a company: those in which an address of the contact takes part, or of one of the
 * company's contacts. Each address gives its latest messages by an index, however many there are.
 */
import type { Call, Vault } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading } from '../../fields/members.ts';
import { addressesOf } from '../../model/contact-addresses.ts';
import type { ObjectDef } from '../../model/model.ts';
import { and, empty, join, sql, trusted, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { selectionOf } from '../../query/selection.ts';
import { visibleRow } from '../../query/where.ts';
import { openPreview, storedDataKey } from '../conversations/contents.ts';
import { participantsReading, subjectReading } from '../conversations/messages.ts';
import {
  contactsIn,
  isOwn,
  isShared,
  opens,
  placeholder,
  seesEmployer,
  shownAddressFields,
  shownOf,
} from '../conversations/sight.ts';
import { latestBy, planSection, type SectionPlan, type SectionRequest } from './section.ts';

export interface InteractionsRequest extends SectionRequest {
  /** Of all channels where it is absent. */
  readonly channel?: string | undefined;
  /** Of a company: those of this contact alone. */
  readonly contactId?: string | undefined;
}

/** Why there are no messages of the object's records for the caller, whatever there is; undefined where there can be some. */
export function noInteractions(call: Call, objectName: string): string | undefined {
  const contacts = contactsIn(call);
  if (!contacts || (objectName !== 'contacts' && objectName !== 'companies'))
    return 'Interactions are there for contacts and companies alone';
  if (shownAddressFields(call, contacts).length === 0)
    return 'Interactions are found by the addresses of contacts, and your role sees none of these';
  if (objectName === 'companies' && !seesEmployer(call, contacts))
    return 'Interactions of a company are those of its contacts, and your role does not see where contacts work';
  return undefined;
}

/** Undefined where `noInteractions` says why. */
export function planInteractions(call: Call, request: InteractionsRequest): SectionPlan | undefined {
  const contacts = contactsIn(call);
  if (!contacts || noInteractions(call, request.objectName) !== undefined) return undefined;
  const people = addressesFor(call, contacts, request);
  const table = call.workspace.table('_interactions');
  const participants = call.workspace.table('_participants');
  const { channel } = request;
  const askedOf = (row: Sql) =>
    and([
      isShared(call, row, sql`a.is_open`),
      ...(channel === undefined ? [] : [sql`${row}.channel = ${channel}`]),
      sql`${row}.address = a.address`,
    ]);
  const asked = askedOf(sql`p`);
  let vault: Vault | undefined;
  const plan = planSection(
    call,
    'interactions',
    {
      rows(position, most) {
        const behind = position
          ? sql` and (p.date, p.interaction_id) < (${position.keys[0] ?? null}::timestamptz, ${position.id}::uuid)`
          : empty;
        const found = sql`select distinct p.interaction_id as id from (${people}) a cross join lateral (
          select p.interaction_id from ${participants} p where ${asked}${behind}
          order by p.date desc, p.interaction_id desc limit ${trusted(String(most))}) p`;
        // One by one: PostgreSQL does not know how few they are, and would read all messages.
        const each = sql`select m.* from ${table} m where m.id = k.id limit 1`;
        return { row: sql`i`, table, from: sql`(${found}) k cross join lateral (${each}) i` };
      },
      // Of one address it is known. Of several, a message may have two.
      total: sql`select case when count(d.address) <= 1 then coalesce(sum(d.messages), 0)
        else (select count(distinct p.interaction_id) from (${people}) a cross join lateral (
          select p.interaction_id from ${participants} p where ${asked} offset 0) p) end as total
        from (select d.address, sum(d.messages) as messages from (${people}) a
          join ${call.workspace.table('_addresses')} d on ${askedOf(sql`d`)} group by d.address) d`,
      visible: sql`i.deleted_at is null`,
      asked: [],
      order: latestBy('i.date'),
      selection: selectionOf(readings(call, () => vault)),
      beside: sql` left join ${call.workspace.table('_interaction_contents')} c on c.interaction_id = i.id
        left join ${call.workspace.table('_threads')} h on h.id = i.interaction_thread_id`,
    },
    request,
    [channel, request.contactId],
  );
  return {
    statements: [storedDataKey(call), plan.statement],
    cursorAt: plan.cursorAt,
    read([stored, found]) {
      vault = call.vault(stored?.rows[0]?.[0] ?? '');
      return plan.read(found?.rows ?? []);
    },
  };
}

/** Rows `address` and `is_open` of the contacts that the record stands for and the caller sees. */
function addressesFor(call: Call, contacts: ObjectDef, request: InteractionsRequest): Sql {
  const { objectName, recordId, contactId } = request;
  const fields = shownAddressFields(call, contacts);
  const who = objectScope(call, contacts, 'who');
  const ofRecord =
    objectName === 'companies' ? sql`who.company_id = ${recordId}::uuid` : sql`who.id = ${recordId}::uuid`;
  const ofContact = contactId === undefined ? [] : [sql`who.id = ${contactId}::uuid`];
  const all = join(
    fields.map((field) => sql`coalesce(${addressesOf(field, who.row)}, '{}')`),
    ' || ',
  );
  return sql`select u.address, ${opens(call, contacts, sql`u.address`)} as is_open from (
    select distinct u.address from ${call.workspace.table(contacts.table)} who
    cross join lateral unnest(${all}) u (address) where ${and([ofRecord, ...ofContact, visibleRow(who)])}) u`;
}

function readings(call: Call, vault: () => Vault | undefined): readonly Reading[] {
  return [
    reading(sql`i.id`, quotedMember('id')),
    reading(sql`i.channel`, quotedMember('channel')),
    reading(sql`i.date`, datetimeMember('date')),
    reading(sql`i.direction`, quotedMember('direction')),
    subjectReading(call),
    previewReading(call, vault),
    participantsReading,
    reading(sql`i.interaction_thread_id`, quotedMember('thread_id')),
  ];
}

/** Plain text, of what the caller may read. */
function previewReading(call: Call, vault: () => Vault | undefined): Reading {
  const columns = [sql`c.preview`, sql`i.id`, isOwn(call, sql`i`), sql`h.content_visibility`];
  return {
    columns,
    members: [
      {
        key: 'preview',
        json(row, at) {
          const [sealed = null, id = null, own, visibility] = row.slice(at, at + columns.length);
          if (!shownOf(own === 't', visibility).content) return JSON.stringify(placeholder);
          return JSON.stringify(sealed === null || id === null ? '' : openPreview(vault()!, id, sealed));
        },
        cell: () => '',
      },
    ],
  };
}
