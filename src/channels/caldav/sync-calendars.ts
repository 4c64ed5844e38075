/** Syncs the calendars of an account: fetches what has changed since the last sync. [contract: Accounts] */
import type { Call } from '../../access/call.ts';
import { AsideProblem } from '../../lib/aside.ts';
import { OutgoingError } from '../../outgoing/failure.ts';
import type { Mailbox } from '../mailbox.ts';
import { changesOf, resourcesAt } from './calendar-changes.ts';
import { askDav, DavRefusal, type DavServer } from './dav.ts';
import { findCalendars, type Calendar } from './find-calendars.ts';
import {
  readCalendarStates,
  readEtags,
  takeCalendar,
  type CalendarPortion,
  type FetchedMeeting,
} from './take-calendar.ts';

/** Resources fetched together, and stored in one transaction. */
const mostAtOnce = 50;

/** Syncs all calendars. Throws ChannelFailure, or AccountGone if the account was removed meanwhile; stored portions stay. */
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
  // An unlisted calendar may return; only one that the server reports as missing is gone.
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
  const { changed, gone, syncToken } = await changesOf(call, server, calendar, token, known);
  const keep = (portion: Partial<CalendarPortion>) =>
    call.part((now) => takeCalendar(now, mailbox, { ...nothing, ...portion, url: calendar.url }));
  for (const urls of inParts([...changed.keys()])) {
    const { meetings, missing, failed } = await receive(reading, urls, changed);
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
  readonly meetings: readonly FetchedMeeting[];
  /** URLs of resources that were deleted meanwhile. */
  readonly missing: readonly string[];
  readonly failed: CalendarPortion['failed'];
}

/** Fetches resources. If their answer is too large or cannot be parsed, they are fetched in halves; a single one then fails. */
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
    if (!isBadAnswer(error)) throw error;
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

/** Whether the answer was too large or could not be parsed. */
function isBadAnswer(error: unknown): error is Error {
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
