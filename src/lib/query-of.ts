/**
 * The query of a URL: the text after its first question mark, which may contain more of them (RFC 3986). '' without
 * one.
 */
export function queryOf(address: string): string {
  const mark = address.indexOf('?');
  return mark === -1 ? '' : address.slice(mark + 1);
}
