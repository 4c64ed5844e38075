/** What stands behind the first question mark of an address; a further one belongs to it (RFC 3986). '' where there is none. */
export function queryOf(address: string): string {
  const mark = address.indexOf('?');
  return mark === -1 ? '' : address.slice(mark + 1);
}
