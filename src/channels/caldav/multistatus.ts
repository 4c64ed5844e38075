/** Parses multistatus answers of calendar servers. Entities that an answer defines are not expanded. RFC 4918, 4791, 6578 */
import sax, { type QualifiedTag } from 'sax';
import { FieldProblem } from '../../fields/field-problem.ts';
import type { CalendarPart } from '../calendar/calendar-part.ts';
import { readCalendars } from '../calendar/read-calendar.ts';

/** A resource, as an answer lists it. */
export interface DavResource {
  /** As the server writes it; may be relative. */
  readonly href: string;
  /** The status of the resource as a whole; null if the answer has properties instead. */
  readonly status: number | null;
  readonly etag: string | null;
  readonly isCalendar: boolean;
  /** Component types that the calendar may contain, such as VEVENT; empty if the server does not say. */
  readonly kinds: readonly string[];
  readonly ctag: string | null;
  readonly syncToken: string | null;
  /** Whether the server lists the changes since a sync token. */
  readonly tellsChanges: boolean;
  readonly principal: string | null;
  readonly homes: readonly string[];
  /** The meetings; null if they were not requested or cannot be parsed. */
  readonly parts: readonly CalendarPart[] | null;
}

/** A parsed answer. */
export interface Multistatus {
  readonly resources: readonly DavResource[];
  /** The token of the whole answer, not of one resource. */
  readonly syncToken: string | null;
}

const dav = 'DAV:';
const caldav = 'urn:ietf:params:xml:ns:caldav';
const server = 'http://calendarserver.org/ns/';

const mostDepth = 50;
const mostResources = 100_000;
const longestHref = 2_000;

/** Parses an answer. Throws FieldProblem if it is not a multistatus document. */
export function readMultistatus(xml: string): Multistatus {
  const reading = new Reading();
  const text = (piece: string) => reading.text(piece);
  const parser = Object.assign(sax.parser(true, { xmlns: true }), {
    onopentag: (tag: sax.Tag | QualifiedTag) => reading.open(tag as QualifiedTag),
    ontext: text,
    oncdata: text,
    onclosetag: () => reading.close(),
    onerror(error: Error) {
      throw new FieldProblem(`is not valid XML: ${error.message.split('\n', 1)[0] ?? ''}`);
    },
  });
  parser.write(xml).close();
  return reading.outcome();
}

type Draft = { -readonly [Key in keyof DavResource]: DavResource[Key] };

class Reading {
  readonly #resources: DavResource[] = [];
  /** Names of the open elements with their namespaces, outermost first. */
  readonly #path: string[] = [];
  #text = '';
  #hasBegun = false;
  #syncToken: string | null = null;
  #resource: Draft | undefined;

  open({ uri, local, attributes }: QualifiedTag): void {
    const name = `${uri} ${local}`;
    if (this.#path.length === 0 && name !== `${dav} multistatus`)
      throw new FieldProblem('is not a multistatus document');
    if (this.#path.push(name) > mostDepth) throw new FieldProblem('is nested too deeply');
    this.#text = '';
    this.#hasBegun = true;
    if (name === `${dav} response`) this.#resource = emptyResource();
    const own = this.#resource;
    if (!own) return;
    if (name === `${caldav} calendar` && this.#isIn('resourcetype')) own.isCalendar = true;
    if (name === `${dav} sync-collection` && this.#isIn('supported-report-set')) own.tellsChanges = true;
    if (name === `${caldav} comp` && own.kinds.length < 50)
      own.kinds = [...own.kinds, (attributes['name']?.value ?? '').toUpperCase()];
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): void {
    const name = this.#path.pop() ?? '';
    const text = this.#text;
    this.#text = '';
    const own = this.#resource;
    if (!own) {
      if (name === `${dav} sync-token`) this.#syncToken = text.trim();
      return;
    }
    if (name === `${dav} response`) this.#finish(own);
    else this.#take(own, name, text);
  }

  #take(own: Draft, name: string, text: string): void {
    const value = text.trim().slice(0, longestHref);
    if (name === `${dav} href`) {
      if (this.#isIn('current-user-principal')) own.principal = value;
      else if (this.#isIn('calendar-home-set')) own.homes = [...own.homes, value].slice(0, 10);
      else if (this.#path.at(-1) === `${dav} response`) own.href = value;
    } else if (name === `${dav} status` && this.#path.at(-1) === `${dav} response`) {
      own.status = Number(/\s(\d{3})\b/.exec(value)?.[1] ?? 0);
    } else if (name === `${dav} getetag`) own.etag = value;
    else if (name === `${dav} sync-token`) own.syncToken = value;
    else if (name === `${server} getctag`) own.ctag = value;
    else if (name === `${caldav} calendar-data` && text !== '') {
      const parts = readCalendars(text).flatMap((calendar) => calendar.parts);
      own.parts = parts.length === 0 && !/BEGIN:V(TODO|JOURNAL|FREEBUSY|AVAILABILITY)/i.test(text) ? null : parts;
    }
  }

  #finish(own: Draft): void {
    this.#resource = undefined;
    if (own.href === '') return;
    if (this.#resources.push(own) > mostResources) throw new FieldProblem('lists too many resources');
  }

  #isIn(local: string): boolean {
    return this.#path.some((name) => name.endsWith(` ${local}`));
  }

  outcome(): Multistatus {
    // An empty body is no empty list: it would delete everything that is stored.
    if (!this.#hasBegun) throw new FieldProblem('is empty');
    return { resources: this.#resources, syncToken: this.#syncToken };
  }
}

function emptyResource(): Draft {
  return {
    href: '',
    status: null,
    etag: null,
    isCalendar: false,
    kinds: [],
    ctag: null,
    syncToken: null,
    tellsChanges: false,
    principal: null,
    homes: [],
    parts: null,
  };
}
