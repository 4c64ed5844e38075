/** Finds the changes of a calendar since the last sync: by sync token (RFC 6578) if the server supports it, else by comparing etags. */
import type { Call } from '../../access/call.ts';
import { askDav, DavRefusal, resolvedUrl, type DavAnswer, type DavServer } from './dav.ts';
import type { Calendar } from './find-calendars.ts';
import type { DavResource } from './multistatus.ts';

/** The difference between a calendar and its stored state. */
export interface CalendarChanges {
  /** New and changed resources: URLs with their etags; an etag is empty if the server gives none. */
  readonly changed: ReadonlyMap<string, string>;
  /** URLs of deleted resources. */
  readonly gone: readonly string[];
  /** The sync token for the next time. */
  readonly syncToken: string | null;
}

const mostPages = 100;

/** The changes since `token`; `known` has the stored etags by URL. Throws ChannelFailure. */
export async function changesOf(
  call: Call,
  server: DavServer,
  calendar: Calendar,
  token: string | null,
  known: ReadonlyMap<string, string>,
): Promise<CalendarChanges> {
  if (!calendar.tellsChanges) return compared(await listed(call, server, calendar), known, null);
  try {
    const { changed, gone, syncToken } = await since(call, server, calendar, token ?? '');
    if (token === null) return compared(changed, known, syncToken);
    return { changed: fresh(changed, known), gone: gone.filter((url) => known.has(url)), syncToken };
  } catch (error) {
    // Tokens expire; without a token the server lists everything.
    if (!(error instanceof DavRefusal) || error.isRefusal) throw error;
    if (token !== null) return changesOf(call, server, calendar, null, known);
    return compared(await listed(call, server, calendar), known, null);
  }
}

function compared(listing: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>, syncToken: string | null) {
  return { changed: fresh(listing, known), gone: [...known.keys()].filter((url) => !listing.has(url)), syncToken };
}

function fresh(listing: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...listing].filter(([url, etag]) => etag === '' || known.get(url) !== etag));
}

async function since(call: Call, server: DavServer, calendar: Calendar, from: string): Promise<CalendarChanges> {
  const changed = new Map<string, string>();
  const gone = new Set<string>();
  let token = from;
  for (let pages = 0; pages < mostPages; pages++) {
    const body = `<?xml version="1.0" encoding="utf-8"?>
<sync-collection xmlns="DAV:"><sync-token>${escaped(token)}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`;
    const answer = await askDav(call, server, { method: 'REPORT', url: calendar.url, depth: '0', body });
    for (const resource of answer.resources) {
      const url = urlOf(answer, resource);
      if (resource.status === 404 || resource.status === 410) gone.add(url);
      else if (isMember(url, calendar)) changed.set(url, resource.etag ?? '');
    }
    token = answer.syncToken ?? token;
    if (!answer.resources.some(({ status }) => status === 507)) break;
  }
  return { changed, gone: [...gone].filter((url) => !changed.has(url)), syncToken: token };
}

async function listed(call: Call, server: DavServer, calendar: Calendar): Promise<ReadonlyMap<string, string>> {
  const body = '<?xml version="1.0" encoding="utf-8"?>\n<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
  const answer = await askDav(call, server, { method: 'PROPFIND', url: calendar.url, depth: '1', body });
  const members = answer.resources.map((one) => [urlOf(answer, one), one.etag ?? ''] as const);
  return new Map(members.filter(([url]) => isMember(url, calendar)));
}

/** The resources at these URLs, by URL; the server may leave some out. Throws ChannelFailure. */
export async function resourcesAt(
  call: Call,
  server: DavServer,
  calendar: Calendar,
  urls: readonly string[],
): Promise<ReadonlyMap<string, DavResource>> {
  const hrefs = urls.map((url) => `<href>${escaped(new URL(url).pathname)}</href>`).join('');
  const body = `<?xml version="1.0" encoding="utf-8"?>
<c:calendar-multiget xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><prop><getetag/><c:calendar-data/></prop>${hrefs}</c:calendar-multiget>`;
  const answer = await askDav(call, server, { method: 'REPORT', url: calendar.url, depth: '1', body });
  return new Map(answer.resources.map((one) => [urlOf(answer, one), one]));
}

function urlOf({ url }: DavAnswer, { href }: DavResource): string {
  return resolvedUrl(url, href);
}

/** Whether the URL is a resource of the calendar: servers also list the calendar itself and others below it. */
function isMember(url: string, calendar: Calendar): boolean {
  return !url.endsWith('/') && url !== calendar.url;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
