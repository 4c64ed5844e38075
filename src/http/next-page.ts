/** `Link` headers to the next page (RFC 8288). */

/** Clients refuse long headers; the cursor is in the body as well. */
const maxLength = 4_000;

/** The `Link` header for `cursor`, of the list at `url` (a path with query); undefined if it would be too long. */
export function nextPage(url: string, cursor: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.set('cursor', cursor);
  const link = `<${pathname}?${searchParams.toString()}>; rel="next"`;
  return link.length > maxLength ? undefined : link;
}
