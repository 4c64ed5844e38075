/**
 * Messages in the activity of a contact or a company: those in which an address of the contact, or of the company's
 * contacts, takes part.
 */
import type { Call, Vault } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading } from '../../fields/members.ts';
import { sql } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import { selectionOf } from '../../query/selection.ts';
import { storedDataKey } from '../conversations/contents.ts';
import { besideMessage, participantsReading, previewReading, subjectReading } from '../conversations/messages.ts';
import { contactsIn, seesEmployer, shownAddressFields } from '../conversations/sight.ts';
import { recallMessages, rememberMessages } from './found-messages.ts';
import { messagesOf, type MessageRows, type Talking } from './message-rows.ts';
import { planSection, type SectionPlan, type SectionRequest } from './section.ts';

export interface InteractionsRequest extends SectionRequest, Talking {}

/** Why the caller sees no messages for the object's records at all; undefined where it may see some. */
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

/** Plans the section; undefined where `noInteractions` has a reason. */
export function planInteractions(call: Call, request: InteractionsRequest): SectionPlan | undefined {
  const contacts = contactsIn(call);
  if (!contacts || noInteractions(call, request.objectName) !== undefined) return undefined;
  const { all, many } = messagesOf(call, contacts, request);
  let vault: Vault | undefined;
  const planOf = (rows: MessageRows) =>
    planSection(call, 'interactions', { ...rows, ...shown(call, () => vault) }, request, [
      request.channel,
      request.contactId,
    ]);
  const key = many && JSON.stringify([many.cacheKey, request.limit, request.cursor]);
  const first = planOf(many && key ? many.quick(recallMessages(call, key)) : all);
  return {
    statements: [storedDataKey(call), first.statement],
    cursorAt: first.cursorAt,
    async read([stored, found]) {
      vault = call.vault(stored?.rows[0]?.[0] ?? '');
      const page = await first.read(found?.rows ?? []);
      if (page.isCounted || key === undefined) return page;
      const plan = planOf(all);
      const { rows } = await call.workspace.readOnPlainClient(plan.statement);
      const whole = await plan.read(rows);
      rememberMessages(call, key, whole, rows);
      return whole;
    },
  };
}

function shown(call: Call, vault: () => Vault | undefined) {
  return {
    visible: sql`i.deleted_at is null`,
    filters: [],
    order: descendingBy(sql`i.date`, 'timestamptz'),
    selection: selectionOf(readings(call, vault)),
    beside: besideMessage(call),
  };
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
