/** Where a meeting is held on the web. */

/** Properties that say so, each program's own. */
const properties = ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'x-zoom-url'];
const usualHosts =
  /https:\/\/(?:[\w-]+\.)*(?:zoom\.us|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|whereby\.com|meet\.jit\.si|gotomeeting\.com)\/[^\s<>"')\]]+/i;

/** The address: what a property says, else the place where that is an address, else the first of a usual host, else what the calendar links to. */
export function conferenceIn(
  property: (name: string) => string | null,
  location: string | null,
  description: string | null,
): string | null {
  const said = [...properties.map(property), location].map(httpUrl).find((url) => url !== null);
  const found = said ?? httpUrl(usualHosts.exec(`${location ?? ''}\n${description ?? ''}`)?.[0] ?? null);
  return found ?? httpUrl(property('url'));
}

/** The address, if it is one of the web. */
function httpUrl(text: string | null): string | null {
  const url = /^https?:\/\/\S+$/i.test(text ?? '') ? URL.parse(text ?? '') : null;
  return url === null ? null : url.href;
}
