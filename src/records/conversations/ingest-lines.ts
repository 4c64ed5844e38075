/** Parses the lines of an ingest file. [contract: Ingest] */
import { errors, KithError, quoted } from '../../errors.ts';
import { parseInstant } from '../../fields/local-time.ts';
import { isObject, unstorable, type Json, type JsonObject } from '../../lib/json.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { channels } from '../../model/channels.ts';
import { addressIn } from './addresses.ts';

const visibilities = ['full', 'metadata_subject', 'none'] as const;
const accountStates = ['active', 'expired', 'error'] as const;
const eventStates = ['confirmed', 'tentative', 'cancelled'] as const;

export interface IntegrationLine {
  readonly kind: 'integration';
  readonly owner: string;
  readonly provider: string;
  readonly channels: readonly string[];
  readonly accountEmail: string;
  readonly status: string;
  readonly sendEnabled: boolean;
}

export interface InteractionLine {
  readonly kind: 'interaction';
  readonly owner: string;
  readonly channel: string;
  readonly threadId: string;
  readonly externalId: string;
  readonly subject: string | null;
  readonly direction: 'inbound' | 'outbound';
  readonly date: string;
  /** The participants as written, the sender first. */
  readonly participants: readonly string[];
  readonly text: string | null;
  readonly html: string | null;
  /** The thread's visibility; undefined where the line has none. */
  readonly visibility: string | undefined;
}

export interface Attendee {
  readonly email: string;
  readonly name: string | null;
  readonly response: string | null;
}

export interface EventLine {
  readonly kind: 'event';
  readonly owner: string;
  readonly externalId: string;
  readonly title: string | null;
  readonly start: string;
  readonly end: string | null;
  readonly allDay: boolean;
  readonly status: string;
  readonly organizer: string | null;
  readonly location: string | null;
  readonly meetingUrl: string | null;
  readonly attendees: readonly Attendee[];
}

export type Line = IntegrationLine | InteractionLine | EventLine;

export interface Reader {
  /** The id of the user with this address; undefined without one. */
  userOf(email: string): string | undefined;
  readonly timeZone: string;
}

/** Characters of a name or an address. */
const longestText = 2_000;
/** Bytes of an external id: index rows are limited. */
const longestKey = 700;
/** Characters of a message's contents. */
const longestContent = 10 * 1024 * 1024;

/** Parses a line. Throws VALIDATION_ERROR, MISSING_REQUIRED_FIELD, and RECORD_NOT_FOUND for an unknown user. */
export function readLine(value: Json, reader: Reader): Line {
  if (!isObject(value)) throw errors.validation('A line must be a JSON object');
  const problem = unstorable(value);
  if (problem !== undefined) throw errors.validation(`The line ${problem}`);
  const line = new Fields(value);
  const kind = line.choice('kind', ['integration', 'interaction', 'event'] as const);
  const email = line.required('user');
  const owner = reader.userOf(email);
  if (owner === undefined) throw new KithError('RECORD_NOT_FOUND', `There is no user ${quoted(email)}`);
  if (kind === 'integration') return integrationIn(line, owner);
  return kind === 'interaction' ? interactionIn(line, owner, email, reader) : eventIn(line, owner, reader);
}

function integrationIn(line: Fields, owner: string): IntegrationLine {
  return {
    kind: 'integration',
    owner,
    provider: line.key('provider'),
    channels: line.choices('channels', channels),
    accountEmail: line.key('account_email'),
    status: line.choice('status', accountStates, 'active'),
    sendEnabled: line.flag('send_enabled'),
  };
}

function interactionIn(line: Fields, owner: string, email: string, reader: Reader): InteractionLine {
  const from = line.required('from');
  return {
    kind: 'interaction',
    owner,
    channel: line.choice('channel', channels),
    threadId: line.key('external_thread_id'),
    externalId: line.key('external_id'),
    subject: line.text('subject'),
    direction: line.choice(
      'direction',
      ['inbound', 'outbound'] as const,
      addressIn(from) === addressIn(email) ? 'outbound' : 'inbound',
    ),
    date: line.time('date', reader.timeZone),
    participants: [...new Set([from, ...line.texts('to'), ...line.texts('cc'), ...line.texts('bcc')])],
    text: line.text('content_text', longestContent),
    html: line.text('content_html', longestContent),
    visibility: line.has('content_visibility') ? line.choice('content_visibility', visibilities) : undefined,
  };
}

function eventIn(line: Fields, owner: string, reader: Reader): EventLine {
  const start = line.time('start_time', reader.timeZone);
  const end = line.has('end_time') ? line.time('end_time', reader.timeZone) : null;
  if (end !== null && Date.parse(end) < Date.parse(start)) throw errors.validation('end_time is before start_time');
  return {
    kind: 'event',
    owner,
    externalId: line.key('external_id'),
    title: line.text('title'),
    start,
    end,
    allDay: line.flag('all_day'),
    status: line.choice('status', eventStates, 'confirmed'),
    organizer: line.text('organizer'),
    location: line.text('location'),
    meetingUrl: line.text('meeting_url'),
    attendees: line.objects('attendees').map((attendee) => ({
      email: attendee.required('email'),
      name: attendee.text('name'),
      response: attendee.text('response'),
    })),
  };
}

/** The values of a line, each validated on reading. */
class Fields {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    this.#values = values;
  }

  has(name: string): boolean {
    return (this.#values[name] ?? null) !== null;
  }

  text(name: string, most = longestText): string | null {
    const value = this.#values[name] ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') throw errors.validation(`${name} must be a text`);
    if (value.length > most)
      throw errors.validation(`${name} must have at most ${most.toLocaleString('en')} characters`);
    return value;
  }

  required(name: string): string {
    const text = this.text(name)?.trim() ?? '';
    if (text === '') throw errors.missingField(name);
    return text;
  }

  key(name: string): string {
    const text = this.required(name);
    if (Buffer.byteLength(text) > longestKey) throw errors.validation(`${name} must have at most ${longestKey} bytes`);
    return text;
  }

  choice<const Name extends string>(name: string, choices: readonly Name[], fallback?: Name): Name {
    const text = this.text(name);
    if (text === null && fallback !== undefined) return fallback;
    const found = choices.find((choice) => choice === text);
    if (found === undefined && text === null) throw errors.missingField(name);
    if (found === undefined) throw errors.unknownName(name, text ?? '', choices, didYouMean(text ?? '', choices));
    return found;
  }

  choices<const Name extends string>(name: string, choices: readonly Name[]): Name[] {
    return this.texts(name).map((text) => new Fields({ [name]: text }).choice(name, choices));
  }

  /** A single text counts as a list. */
  texts(name: string): string[] {
    const value = this.#values[name] ?? [];
    const list = Array.isArray(value) ? value : [value];
    if (!list.every((item) => typeof item === 'string'))
      throw errors.validation(`${name} must be a text or a list of texts, such as an address`);
    if (list.length > 1_000) throw errors.validation(`${name} must have at most 1,000 entries`);
    if (list.some((item) => item.length > longestText))
      throw errors.validation(`${name} must have entries of at most ${longestText.toLocaleString('en')} characters`);
    return list.map((item) => item.trim()).filter((item) => item !== '');
  }

  objects(name: string): Fields[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value) || !value.every(isObject)) throw errors.validation(`${name} must be a list of objects`);
    if (value.length > 1_000) throw errors.validation(`${name} must have at most 1,000 entries`);
    return value.map((item) => new Fields(item));
  }

  flag(name: string): boolean {
    const value = this.#values[name] ?? false;
    if (typeof value !== 'boolean') throw errors.validation(`${name} must be true or false`);
    return value;
  }

  time(name: string, timeZone: string): string {
    const text = this.required(name);
    const time = parseInstant(text, timeZone);
    if (time === undefined)
      throw errors.validation(`${name} must be a time such as 2026-01-31T09:30:00Z, not ${quoted(text)}`);
    return time;
  }
}
