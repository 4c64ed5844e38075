/** Finds the URL of an online meeting. */

/** Properties with the URL, which differ by program. */
const properties = ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'x-zoom-url'];
const knownHosts =
  /https:\/\/(?:[\w-]+\.)*(?:zoom\.us|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|whereby\.com|meet\.jit\.si|gotomeeting\.com)\/[^\s<>"')\]]+/i;

/** The meeting's URL, by preference: a property, the location, a URL of a known host in location or description, the property `url`. */
export function conferenceIn(
  property: (name: string) => string | null,
  location: string | null,
  description: string | null,
): string | null {
  const stated = [...properties.map(property), location].map(httpUrl).find((url) => url !== null);
  const found = stated ?? httpUrl(knownHosts.exec(`${location ?? ''}\n${description ?? ''}`)?.[0] ?? null);
  return found ?? httpUrl(property('url'));
}

/** The text as a URL, if it is an HTTP one. */
function httpUrl(text: string | null): string | null {
  const url = /^https?:\/\/\S+$/i.test(text ?? '') ? URL.parse(text ?? '') : null;
  return url === null ? null : url.href;
}
