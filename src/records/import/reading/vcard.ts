/** Reads vCards (2.1 to 4.0, as address books write them) as rows of a table with named parts. */

import { nextSlice, sliceIsOver } from '../../../lib/slices.ts';
import { splitName } from '../mapping/full-name.ts';

/** The possible columns of a card. */
export const cardColumns = [
  'First name',
  'Last name',
  'Full name',
  'Organization',
  'Title',
  'Birthday',
  'Note',
  'Street',
  'City',
  'Region',
  'Postal code',
  'Country',
  'E-mail',
  'Phone',
  'URL',
  'Categories',
] as const;
type CardColumn = (typeof cardColumns)[number];

/** Values of one card by column; several are texts or objects with a label. */
export type Card = Partial<Record<CardColumn, string | readonly { readonly value: string; readonly label: string }[]>>;

interface Line {
  readonly name: string;
  readonly params: readonly string[];
  readonly value: string;
}

export interface Cards {
  /** Each parsed card, or its problem. */
  readonly cards: readonly (Card | { readonly problem: string })[];
  /** The names of non-empty properties without a column. */
  readonly unread: readonly string[];
}

/** Properties about the card itself, and Apple's labels of other lines. */
const ofTheCard = new Set(
  'VERSION PRODID UID REV KIND SOURCE PROFILE CLASS CALSCALE SORT-STRING CLIENTPIDMAP X-ABLABEL X-ABADR'.split(' '),
);

/** Reported property names. */
const mostUnread = 100;

/** The problem of a card without an end. */
const cutCard = 'the card is cut: it has no END:VCARD';

/** The cards of a text, and the properties that were ignored. */
export async function readCards(text: string): Promise<Cards> {
  const cards: (Card | { problem: string })[] = [];
  const unread = new Set<string>();
  let lines: Line[] | undefined;
  for (const raw of wholeLines(text)) {
    if (sliceIsOver()) await nextSlice();
    if (/^BEGIN:VCARD\s*$/i.test(raw)) {
      if (lines) cards.push({ problem: cutCard });
      lines = [];
    } else if (/^END:VCARD\s*$/i.test(raw)) {
      if (lines) cards.push(cardOf(lines, unread));
      lines = undefined;
    } else {
      const line = lineOf(raw);
      if (line) lines?.push(line);
    }
  }
  if (lines) cards.push({ problem: cutCard });
  return { cards, unread: [...unread] };
}

/**
 * Unfolds lines: a line continues in the next one that begins with white space, or after a trailing equals sign in
 * quoted-printable.
 */
function* wholeLines(text: string): Generator<string> {
  let pieces: string[] = [];
  let isQuoted = false;
  for (let at = 0; at <= text.length;) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const raw = text.slice(at, end).replace(/\r$/, '');
    at = end + 1;
    const last = pieces.at(-1) ?? '';
    const isFold = pieces.length > 0 && /^[ \t]/.test(raw);
    const isSoft = isQuoted && last.endsWith('=');
    if (!isFold && isSoft) pieces[pieces.length - 1] = last.slice(0, -1);
    else if (!isFold && pieces.length > 0) {
      yield pieces.join('');
      pieces = [];
      isQuoted = false;
    }
    pieces.push(isFold ? raw.slice(1) : raw);
    isQuoted ||= /QUOTED-PRINTABLE/i.test(raw);
  }
  yield pieces.join('');
}

function lineOf(raw: string): Line | undefined {
  const colon = colonOf(raw);
  if (colon < 0) return undefined;
  const [head = '', ...params] = raw.slice(0, colon).split(';');
  const name = head.replace(/^.*\./, '').toUpperCase();
  const upper = params.map((param) => param.replaceAll('"', '').toUpperCase());
  const value = raw.slice(colon + 1);
  const isQuoted = upper.some((param) => /(?:^|=)QUOTED-PRINTABLE$/.test(param));
  const charset = upper.find((param) => param.startsWith('CHARSET='))?.slice(8);
  return { name, params: upper, value: isQuoted ? unquoted(value, charset) : value };
}

/** The index of the first colon outside quotes. */
function colonOf(raw: string): number {
  let inQuotes = false;
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === '"') inQuotes = !inQuotes;
    else if (raw[at] === ':' && !inQuotes) return at;
  }
  return -1;
}

const equalsSign = 0x3d;

/** The value of a hexadecimal digit; -1 for another character. */
function digitOf(sign = 0): number {
  if (sign >= 0x30 && sign <= 0x39) return sign - 0x30;
  const upper = sign & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

function unquoted(value: string, charset = 'utf-8'): string {
  const source = Buffer.from(value);
  const target = Buffer.allocUnsafe(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at++) {
    const [high, low] = source[at] === equalsSign ? [digitOf(source[at + 1]), digitOf(source[at + 2])] : [-1, -1];
    const isByte = high >= 0 && low >= 0;
    target[length++] = isByte ? high * 16 + low : (source[at] ?? 0);
    if (isByte) at += 2;
  }
  const bytes = target.subarray(0, length);
  try {
    return new TextDecoder(charset.toLowerCase()).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

/** Splits at semicolons, and unescapes the parts. */
function partsOf(value: string): string[] {
  return value.split(/(?<!\\);/).map(plain);
}

function plain(value: string): string {
  return value.replaceAll(/\\([nN,;:\\"])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign)).trim();
}

function labelOf(params: readonly string[]): string {
  const types = params.flatMap((param) => (param.startsWith('TYPE=') ? param.slice(5).split(',') : [param]));
  if (types.includes('CELL')) return 'mobile';
  if (types.includes('FAX')) return 'fax';
  return types.includes('HOME') ? 'home' : 'work';
}

function cardOf(lines: readonly Line[], unread: Set<string>): Card {
  const card: { [column in CardColumn]?: string | { value: string; label: string }[] } = {};
  const set = (column: CardColumn, value = '') => {
    if (value !== '' && card[column] === undefined) card[column] = value;
  };
  const known = new Set<string>();
  const add = (column: 'E-mail' | 'Phone', value: string, params: readonly string[]) => {
    const key = `${column} ${value}`;
    if (value === '' || known.has(key)) return;
    known.add(key);
    const list = card[column];
    const item = { value, label: labelOf(params) };
    if (Array.isArray(list)) list.splice(isPreferred(params) ? 0 : list.length, 0, item);
    else card[column] = [item];
  };
  for (const { name, params, value } of lines) {
    if (name === 'N') {
      const [last, first, middle] = partsOf(value);
      set('First name', [first, middle].filter(Boolean).join(' '));
      set('Last name', last);
    } else if (name === 'FN') set('Full name', plain(value));
    else if (name === 'ORG') set('Organization', partsOf(value)[0]);
    else if (name === 'TITLE') set('Title', plain(value));
    else if (name === 'BDAY') set('Birthday', birthdayOf(value, params));
    else if (name === 'NOTE') set('Note', plain(value));
    else if (name === 'URL') set('URL', plain(value));
    else if (name === 'CATEGORIES') set('Categories', plain(value).replaceAll(',', ';'));
    else if (name === 'EMAIL') add('E-mail', plain(value), params);
    else if (name === 'TEL') add('Phone', plain(value).replace(/^tel:/i, ''), params);
    else if (name === 'ADR') setAddress(value, set);
    else if (unread.size < mostUnread && isUnread(name, value)) unread.add(name);
  }
  if (card['First name'] === undefined && card['Last name'] === undefined) setHalves(card['Full name'], set);
  return card;
}

/** Splits the full name of a card without N. */
function setHalves(fullName: unknown, set: (column: CardColumn, value?: string) => void): void {
  if (typeof fullName !== 'string') return;
  const { first, last } = splitName(fullName);
  set('First name', first);
  set('Last name', last);
}

function isPreferred(params: readonly string[]): boolean {
  return params.some((param) => /^PREF(?:=1)?$/.test(param) || /^TYPE=(?:.*,)?PREF(?:,|$)/.test(param));
}

/** A birthday without a year: Apple writes a placeholder year, named by a parameter; vCard 4.0 writes `--05-06`. */
function birthdayOf(value: string, params: readonly string[]): string {
  const text = plain(value);
  const year = params.find((param) => param.startsWith('X-APPLE-OMIT-YEAR='))?.slice('X-APPLE-OMIT-YEAR='.length);
  return year !== undefined && text.startsWith(`${year}-`) ? `-${text.slice(year.length)}` : text;
}

/** Whether the property has information about the person that is not read. */
function isUnread(name: string, value: string): boolean {
  return /^[A-Z0-9-]{1,60}$/.test(name) && !ofTheCard.has(name) && /[^\s;,]/.test(value);
}

function setAddress(value: string, set: (column: CardColumn, value?: string) => void): void {
  const [box, extended, street, city, region, code, country] = partsOf(value);
  set('Street', [street, extended, box].filter(Boolean).join(', '));
  set('City', city);
  set('Region', region);
  set('Postal code', code);
  set('Country', country);
}
