/** Canonical host names, so that the checked host is the connected one. */
import { isIP } from 'node:net';

/**
 * The host as the URL standard writes it: a name in lower-case ASCII, or an address in its usual form, whether decimal,
 * octal, hexadecimal, short or in other digits; without brackets and trailing dot. Undefined if it is no host, such as an
 * address with a zone.
 */
export function canonicalHost(text: string): string | undefined {
  const bare = withoutBrackets(text);
  if (isIP(bare) === 0 && /[\s/?#@\\:[\]]/.test(bare)) return undefined;
  const host = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : bare}/`)?.hostname ?? '';
  return withoutBrackets(host).replace(/\.$/, '') || undefined;
}

/** The text without brackets: `::1` of `[::1]`. */
export function withoutBrackets(text: string): string {
  return /^\[(.*)\]$/.exec(text)?.[1] ?? text;
}
