/** The next page of a list, for clients that follow `Link` headers (RFC 8288). */

/** Clients refuse answers whose headers are too long; the cursor is in the body as well. */
const maxLength = 4_000;

/** A `Link` to the page that `cursor` begins, of the list at `url` (a path with its query); undefined where it would be too long. */
export function nextPage(url: string, cursor: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.set('cursor', cursor);
  const link = `<${pathname}?${searchParams.toString()}>; rel="next"`;
  return link.length > maxLength ? undefined : link;
}
