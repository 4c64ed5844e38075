/** Discovers a user's calendars from a calendar's, a principal's or a server's URL. RFC 4791, 6764 */
import type { Call } from '../../access/call.ts';
import { ChannelFailure } from '../channel-failure.ts';
import { askDav, DavRefusal, resolvedUrl, type DavAnswer, type DavServer } from './dav.ts';

/** A calendar as its server lists it. */
export interface Calendar {
  readonly url: string;
  /** Changes whenever anything in the calendar changes. */
  readonly ctag: string | null;
  readonly syncToken: string | null;
  /** Whether the server lists the changes since a sync token. */
  readonly tellsChanges: boolean;
}

const properties = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"><prop>
<resourcetype/><current-user-principal/><c:calendar-home-set/><supported-report-set/><sync-token/>
<c:supported-calendar-component-set/><s:getctag/></prop></propfind>`;

const mostCalendars = 200;

/** The calendars that may contain meetings. Throws ChannelFailure if the server refuses, or has none. */
export async function findCalendars(call: Call, server: DavServer): Promise<readonly Calendar[]> {
  const look = (url: string, depth: '0' | '1') =>
    askDav(call, server, { method: 'PROPFIND', url, depth, body: properties });
  const first = await firstAnswer(look, server.url);
  const direct = calendarsIn(first);
  if (direct.length > 0) return direct.slice(0, mostCalendars);
  const homes = await homesFrom(look, first);
  const found: Calendar[] = [];
  for (const home of homes) found.push(...calendarsIn(await look(home, '1')));
  if (found.length === 0)
    throw new ChannelFailure(`${new URL(server.url).hostname} has no calendar at ${homes[0] ?? first.url}`);
  return found.slice(0, mostCalendars);
}

type Look = (url: string, depth: '0' | '1') => Promise<DavAnswer>;

/** The answer at the URL itself, else at the server's well-known CalDAV URL. */
async function firstAnswer(look: Look, url: string): Promise<DavAnswer> {
  try {
    return await look(url, '0');
  } catch (error) {
    const isMissing = error instanceof DavRefusal && [404, 405].includes(error.status);
    if (!isMissing || new URL(url).pathname !== '/') throw error;
    return look(new URL('/.well-known/caldav', url).href, '0');
  }
}

async function homesFrom(look: Look, first: DavAnswer): Promise<readonly string[]> {
  const own = homesIn(first);
  if (own.length > 0) return own;
  const principal = first.resources.find((one) => one.principal !== null)?.principal ?? null;
  if (principal === null) return [first.url];
  const homes = homesIn(await look(resolvedUrl(first.url, principal), '0'));
  return homes.length > 0 ? homes : [first.url];
}

function homesIn({ resources, url }: DavAnswer): readonly string[] {
  return [...new Set(resources.flatMap(({ homes }) => homes.map((home) => resolvedUrl(url, home))))];
}

function calendarsIn({ resources, url }: DavAnswer): readonly Calendar[] {
  return resources
    .filter(({ isCalendar, kinds }) => isCalendar && (kinds.length === 0 || kinds.includes('VEVENT')))
    .map(({ href, ctag, syncToken, tellsChanges }) => ({ url: resolvedUrl(url, href), ctag, syncToken, tellsChanges }));
}
