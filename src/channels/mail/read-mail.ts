/** Parses messages of mailboxes as far as possible. [spec: Interaction (message)] */
import { createHash } from 'node:crypto';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { cleanHtml } from '../../fields/html.ts';
import { FieldProblem } from '../../fields/field-problem.ts';
import { storable, storableLine } from '../storable-text.ts';
import type { ReadCalendar } from '../calendar/calendar-part.ts';
import { messageIdsIn } from './message-ids.ts';
import type { Envelope } from './tnef/meeting.ts';
import type { TnefMessage } from './tnef/read-tnef.ts';

/** A parsed mail. All texts are storable. */
export interface Mail {
  /** The Message-ID with its brackets, else a digest of the mail. */
  readonly id: string;
  /** Message-IDs of the conversation, oldest first; the last one is the mail that this one answers. */
  readonly references: readonly string[];
  readonly subject: string | null;
  /** In ISO 8601; null without a valid date. */
  readonly date: string | null;
  /** Addresses here and below are with their names, if they have any: `Bob <bob@globex.test>`. */
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly text: string | null;
  /** Sanitized. */
  readonly html: string | null;
  /** The contents as plain text. */
  readonly plain: string;
  /** The calendars in parts and attachments. */
  readonly calendars: readonly ReadCalendar[];
}

/** Characters that are stored of a message's text. */
const longestText = 1_000_000;
const longestHtml = 2_000_000;
const longestAddress = 2_000;
const mostAddresses = 1_000;
const mostCalendars = 5;
const longestCalendar = 500_000;

/** Parses a message, which may be truncated. Throws FieldProblem if it cannot be parsed. */
export async function readMail(bytes: Uint8Array): Promise<Mail> {
  const email = await parsed(bytes);
  const outlook = await outlookIn(email);
  const isEmpty = !email.text?.trim() && !email.html?.trim();
  const source = isEmpty && outlook ? outlook : email;
  const cleaned = cleanedHtml(source.html);
  const text = source.text === undefined ? null : storable(source.text, longestText);
  const from = addressesOf(email.from ? [email.from] : email.sender ? [email.sender] : [])[0] ?? null;
  const [to, cc, bcc] = [email.to, email.cc, email.bcc].map(addressesOf) as [string[], string[], string[]];
  const contents = {
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
  // The last occurrence of an id counts, so that the answered mail stays last.
  const distinct = [...new Set(references.toReversed())].toReversed().filter((id) => id !== own);
  return { ...contents, id: own ?? digestOf(contents), references: distinct };
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
    const { html: sanitized, text } = cleanHtml(storable(html, longestHtml));
    return { html: sanitized, text: storable(text, longestText) };
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

/** The message in a `winmail.dat` of Outlook or Exchange; undefined without one. The parser is loaded on demand. */
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
  // Many mails have the same calendar twice: as a part and as a file.
  return [...new Set(texts)].filter((text) => text.length <= longestCalendar).flatMap((text) => readCalendars(text));
}

async function calendarFrom({ message, envelope }: FromOutlook): Promise<readonly string[]> {
  if (!/schedule/i.test(message.kind)) return [];
  const { calendarOf } = await import('./tnef/meeting.ts');
  const text = calendarOf(message, envelope);
  return text === undefined ? [] : [text];
}

/** The date of a header in ISO 8601; null if it is invalid or implausible. */
function dateOf(text: string | undefined): string | null {
  const time = new Date(text ?? '');
  const isPlausible = time.getTime() > Date.UTC(1970, 0, 2) && time.getTime() < Date.UTC(2100, 0);
  return isPlausible ? time.toISOString() : null;
}

function oneLine(text: string | undefined): string | null {
  const line = storableLine(text ?? '', longestAddress);
  return line === '' ? null : line;
}

/** An id for a message without one: copies of a message get the same id. */
function digestOf(mail: Pick<Mail, 'date' | 'from' | 'to' | 'cc' | 'subject' | 'plain'>): string {
  const parts = [mail.date, mail.from, mail.to, mail.cc, mail.subject, mail.plain];
  return `sha256:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}
