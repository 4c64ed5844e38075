/** Which calendars somebody has on a server: found from any address that people know, as other programs do. RFC 4791, 6764 */
import type { Call } from '../../access/call.ts';
import { ChannelFailure } from '../channel-failure.ts';
import { askDav, DavRefusal, placeFrom, type DavAnswer, type DavServer } from './dav.ts';

/** A calendar as its server lists it. */
export interface Calendar {
  readonly url: string;
  /** Another one as soon as anything in it is other. */
  readonly ctag: string | null;
  readonly syncToken: string | null;
  /** Whether it tells what has changed since a token. */
  readonly tellsChanges: boolean;
}

const properties = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"><prop>
<resourcetype/><current-user-principal/><c:calendar-home-set/><supported-report-set/><sync-token/>
<c:supported-calendar-component-set/><s:getctag/></prop></propfind>`;

const mostCalendars = 200;

/** The calendars that have meetings. Throws ChannelFailure with what the server says, and where it has none. */
export async function findCalendars(call: Call, server: DavServer): Promise<readonly Calendar[]> {
  const look = (url: string, depth: '0' | '1') =>
    askDav(call, server, { method: 'PROPFIND', url, depth, body: properties });
  const first = await begun(look, server.url);
  const here = calendarsIn(first);
  if (here.length > 0) return here.slice(0, mostCalendars);
  const homes = await homesFrom(look, first);
  const found: Calendar[] = [];
  for (const home of homes) found.push(...calendarsIn(await look(home, '1')));
  if (found.length === 0)
    throw new ChannelFailure(`${new URL(server.url).hostname} has no calendar at ${homes[0] ?? first.url}`);
  return found.slice(0, mostCalendars);
}

type Look = (url: string, depth: '0' | '1') => Promise<DavAnswer>;

/** At the address itself, else where servers say that their calendars are. */
async function begun(look: Look, url: string): Promise<DavAnswer> {
  try {
    return await look(url, '0');
  } catch (error) {
    const isElsewhere = error instanceof DavRefusal && [404, 405].includes(error.status);
    if (!isElsewhere || new URL(url).pathname !== '/') throw error;
    return look(new URL('/.well-known/caldav', url).href, '0');
  }
}

async function homesFrom(look: Look, first: DavAnswer): Promise<readonly string[]> {
  const own = homesIn(first);
  if (own.length > 0) return own;
  const principal = first.resources.find((one) => one.principal !== null)?.principal ?? null;
  if (principal === null) return [first.url];
  const told = homesIn(await look(placeFrom(first.url, principal), '0'));
  return told.length > 0 ? told : [first.url];
}

function homesIn({ resources, url }: DavAnswer): readonly string[] {
  return [...new Set(resources.flatMap(({ homes }) => homes.map((home) => placeFrom(url, home))))];
}

function calendarsIn({ resources, url }: DavAnswer): readonly Calendar[] {
  return resources
    .filter(({ isCalendar, kinds }) => isCalendar && (kinds.length === 0 || kinds.includes('VEVENT')))
    .map(({ href, ctag, syncToken, tellsChanges }) => ({ url: placeFrom(url, href), ctag, syncToken, tellsChanges }));
}
