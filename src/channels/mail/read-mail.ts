/** Any message that a mailbox holds, read as far as it can be. [spec: Interaction (message)] */
import { createHash } from 'node:crypto';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { cleanHtml } from '../../fields/html.ts';
import { FieldProblem } from '../../fields/field-problem.ts';
import { storable, storableLine } from '../storable-text.ts';
import type { ReadCalendar } from '../calendar/calendar-part.ts';
import { messageIdsIn } from './message-ids.ts';
import type { Envelope } from './tnef/meeting.ts';
import type { TnefMessage } from './tnef/read-tnef.ts';

/** What a mail says. Texts have nothing in them that cannot be stored. */
export interface Mail {
  /** Its Message-ID with its brackets; else a digest of what it is. */
  readonly id: string;
  /** What it replies to: the beginning of the conversation first, and last what it answers. */
  readonly references: readonly string[];
  readonly subject: string | null;
  /** In ISO 8601; null where it has none that can be read. */
  readonly date: string | null;
  /** As they are written, such as `Bob <bob@globex.test>`. */
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly text: string | null;
  /** Harmless. */
  readonly html: string | null;
  /** What it says without HTML. */
  readonly plain: string;
  /** What it says of meetings. */
  readonly calendars: readonly ReadCalendar[];
}

/** Characters of what a message says that are kept; nobody reads more. */
const longestText = 1_000_000;
const longestHtml = 2_000_000;
const longestAddress = 2_000;
const mostAddresses = 1_000;
const mostCalendars = 5;
const longestCalendar = 500_000;

/** Reads a message from its bytes, which may end before it does. Throws FieldProblem for what is no message that anybody means. */
export async function readMail(bytes: Uint8Array): Promise<Mail> {
  const email = await parsed(bytes);
  const outlook = await outlookIn(email);
  const isSilent = !email.text?.trim() && !email.html?.trim();
  const given = isSilent && outlook ? outlook : email;
  const cleaned = cleanedHtml(given.html);
  const text = given.text === undefined ? null : storable(given.text, longestText);
  const from = addressesOf(email.from ? [email.from] : email.sender ? [email.sender] : [])[0] ?? null;
  const [to, cc, bcc] = [email.to, email.cc, email.bcc].map(addressesOf) as [string[], string[], string[]];
  const said = {
    subject: oneLine(email.subject),
    date: dateOf(email.date),
    from,
    to,
    cc,
    bcc,
    text: text ?? (cleaned ? null : ''),
    html: cleaned?.html ?? null,
    plain: text?.trim() ? text : (cleaned?.text ?? text ?? ''),
    calendars: await calendarsIn(email, outlook && { message: outlook, envelope: { from, to, cc } }),
  };
  const [own] = messageIdsIn(email.messageId);
  const references = [...messageIdsIn(email.references), ...messageIdsIn(email.inReplyTo)];
  // What it answers comes last, wherever it stands first.
  const distinct = [...new Set(references.toReversed())].toReversed().filter((id) => id !== own);
  return { ...said, id: own ?? digestOf(said), references: distinct };
}

async function parsed(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 3 });
  } catch (error) {
    throw new FieldProblem(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function cleanedHtml(html: string | undefined): { html: string; text: string } | undefined {
  if (html === undefined || html.trim() === '') return undefined;
  try {
    const { html: harmless, text } = cleanHtml(storable(html, longestHtml));
    return { html: harmless, text: storable(text, longestText) };
  } catch (error) {
    // The rest of the message can still be read.
    if (error instanceof FieldProblem) return { html: '', text: '' };
    throw error;
  }
}

function addressesOf(addresses: readonly Address[] = []): readonly string[] {
  const flat = addresses.flatMap((one) => (one.group === undefined ? [one] : one.group));
  const written = flat.flatMap(({ name, address }) => {
    const clean = storable(address, longestAddress).trim();
    const called = (oneLine(name) ?? '').replaceAll(/[<>"]/g, '').slice(0, 200);
    if (clean === '') return called === '' ? [] : [called];
    return [called === '' || called.toLowerCase() === clean.toLowerCase() ? clean : `${called} <${clean}>`];
  });
  return [...new Set(written)].slice(0, mostAddresses);
}

/** What Outlook and Exchange write for one another in the place of a message that everybody reads; loaded where there is such. */
async function outlookIn({ attachments }: Email): Promise<TnefMessage | undefined> {
  const found = attachments.find(
    ({ mimeType, filename }) =>
      /^application\/(vnd\.)?ms-tnef$/.test(mimeType) || /^winmail\.dat$/i.test(filename ?? ''),
  );
  if (!found) return undefined;
  const { readTnef } = await import('./tnef/read-tnef.ts');
  return readTnef(bytesOf(found));
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

interface FromOutlook {
  readonly message: TnefMessage;
  readonly envelope: Envelope;
}

async function calendarsIn({ attachments }: Email, outlook: FromOutlook | undefined): Promise<readonly ReadCalendar[]> {
  const found = attachments
    .filter(
      ({ mimeType, filename }) =>
        /^(text\/calendar|application\/ics)$/.test(mimeType) || /\.ics$/i.test(filename ?? ''),
    )
    .slice(0, mostCalendars)
    .map((one) => new TextDecoder().decode(bytesOf(one)));
  const texts = found.length > 0 || !outlook ? found : await calendarFrom(outlook);
  if (texts.length === 0) return [];
  const { readCalendars } = await import('../calendar/read-calendar.ts');
  // Mails bring the same calendar for one program as a part, and for another as a file.
  return [...new Set(texts)].filter((text) => text.length <= longestCalendar).flatMap((text) => readCalendars(text));
}

async function calendarFrom({ message, envelope }: FromOutlook): Promise<readonly string[]> {
  if (!/schedule/i.test(message.kind)) return [];
  const { calendarOf } = await import('./tnef/meeting.ts');
  const text = calendarOf(message, envelope);
  return text === undefined ? [] : [text];
}

/** The date of a header; years that no mail has are a mistake of its sender's. */
function dateOf(text: string | undefined): string | null {
  const time = new Date(text ?? '');
  const isUsual = time.getTime() > Date.UTC(1970, 0, 2) && time.getTime() < Date.UTC(2100, 0);
  return isUsual ? time.toISOString() : null;
}

function oneLine(text: string | undefined): string | null {
  const line = storableLine(text ?? '', longestAddress);
  return line === '' ? null : line;
}

/** For a message without an id: the same message has the same. */
function digestOf(said: Pick<Mail, 'date' | 'from' | 'to' | 'cc' | 'subject' | 'plain'>): string {
  const parts = [said.date, said.from, said.to, said.cc, said.subject, said.plain];
  return `sha256:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
