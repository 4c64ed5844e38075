/** Synchronises the calendars of an account: what each has and the organization has not, from where it was left. [contract: Accounts] */
import type { Call } from '../../access/call.ts';
import { AsideProblem } from '../../lib/aside.ts';
import { OutgoingError } from '../../outgoing/failure.ts';
import type { Mailbox } from '../mailbox.ts';
import { changesOf, resourcesAt } from './calendar-changes.ts';
import { askDav, DavRefusal, type DavServer } from './dav.ts';
import { findCalendars, type Calendar } from './find-calendars.ts';
import { readCalendarStates, readEtags, takeCalendar, type Taken, type TakenMeeting } from './take-calendar.ts';

/** Meetings that are asked for together, and kept in one transaction. */
const mostAtOnce = 50;

/** Until nothing is left. Throws ChannelFailure, and AccountGone where the account was removed meanwhile; what is kept stays. */
export async function syncCalendars(call: Call, mailbox: Mailbox, server: DavServer): Promise<void> {
  const calendars = await findCalendars(call, server);
  const states = await readCalendarStates(call, mailbox);
  for (const calendar of calendars) {
    const state = states.get(calendar.url);
    states.delete(calendar.url);
    const isSame =
      state !== undefined &&
      ((calendar.syncToken !== null && calendar.syncToken === state.syncToken) ||
        (calendar.ctag !== null && calendar.ctag === state.ctag));
    if (!isSame) await syncCalendar({ call, mailbox, server, calendar }, state?.syncToken ?? null);
  }
  // A calendar that is not listed may be back the next time; one that its server says is not there is gone.
  for (const url of states.keys()) if (await isGone(call, server, url)) await dropCalendar(call, mailbox, url);
}

/** A calendar that is being read. */
interface Reading {
  readonly call: Call;
  readonly mailbox: Mailbox;
  readonly server: DavServer;
  readonly calendar: Calendar;
}

async function syncCalendar(reading: Reading, token: string | null): Promise<void> {
  const { call, mailbox, server, calendar } = reading;
  const known = await readEtags(call, mailbox, calendar.url);
  const { there, gone, syncToken } = await changesOf(call, server, calendar, token, known);
  const keep = (taken: Partial<Taken>) =>
    call.part((now) => takeCalendar(now, mailbox, { ...nothing, ...taken, url: calendar.url }));
  for (const urls of inParts([...there.keys()])) {
    const { meetings, missing, failed } = await receive(reading, urls, there);
    await keep({ meetings, gone: missing, failed });
  }
  for (const urls of inParts(gone)) await keep({ gone: urls });
  await keep({ state: { syncToken, ctag: calendar.ctag } });
}

const nothing = { meetings: [], gone: [], failed: [], state: undefined };

function* inParts(all: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < all.length; at += mostAtOnce) yield all.slice(at, at + mostAtOnce);
}

interface Received {
  readonly meetings: readonly TakenMeeting[];
  /** What is not there any more by now. */
  readonly missing: readonly string[];
  readonly failed: Taken['failed'];
}

/** What is too large together is asked for in halves; what is so alone cannot be taken. */
async function receive(
  reading: Reading,
  urls: readonly string[],
  etags: ReadonlyMap<string, string>,
): Promise<Received> {
  const { call, server, calendar } = reading;
  try {
    const found = await resourcesAt(call, server, calendar, urls);
    const all = urls.map((url) => ({ url, one: found.get(url) }));
    const isMissing = (status: number | null | undefined) => status === 404 || status === 410;
    const [missing, there] = [
      all.filter(({ one }) => isMissing(one?.status)),
      all.filter(({ one }) => !isMissing(one?.status)),
    ];
    return {
      meetings: there.flatMap(({ url, one }) =>
        one?.parts ? [{ href: url, etag: one.etag ?? etags.get(url) ?? '', parts: one.parts }] : [],
      ),
      missing: missing.map(({ url }) => url),
      failed: there
        .filter(({ one }) => !one?.parts)
        .map(({ url }) => ({ uid: url, reason: 'cannot be read as a calendar' })),
    };
  } catch (error) {
    if (!isOfWhatIsAsked(error)) throw error;
    const half = Math.ceil(urls.length / 2);
    if (urls.length === 1) return { meetings: [], missing: [], failed: [{ uid: urls[0]!, reason: error.message }] };
    const [first, second] = [
      await receive(reading, urls.slice(0, half), etags),
      await receive(reading, urls.slice(half), etags),
    ];
    return {
      meetings: [...first.meetings, ...second.meetings],
      missing: [...first.missing, ...second.missing],
      failed: [...first.failed, ...second.failed],
    };
  }
}

function isOfWhatIsAsked(error: unknown): error is Error {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof AsideProblem || (cause instanceof OutgoingError && cause.reason === 'too-large');
}

async function isGone(call: Call, server: DavServer, url: string): Promise<boolean> {
  const body = '<?xml version="1.0" encoding="utf-8"?>\n<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>';
  try {
    await askDav(call, server, { method: 'PROPFIND', url, depth: '0', body });
    return false;
  } catch (error) {
    return error instanceof DavRefusal && [404, 410].includes(error.status);
  }
}

async function dropCalendar(call: Call, mailbox: Mailbox, url: string): Promise<void> {
  const known = await readEtags(call, mailbox, url);
  for (const urls of inParts([...known.keys()]))
    await call.part((now) => takeCalendar(now, mailbox, { ...nothing, url, gone: urls }));
  await call.part((now) => takeCalendar(now, mailbox, { ...nothing, url, state: null }));
}
