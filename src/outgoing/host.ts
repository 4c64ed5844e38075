/** One spelling for each host, so that what is judged is what is connected to. */
import { isIP } from 'node:net';

/**
 * A host as the URL standard writes it: a name in small letters and in ASCII, an address in its one usual form, whether it
 * was decimal, octal, hexadecimal, short or in other digits; without brackets and without a dot at the end. Undefined for
 * what is no host, such as an address with a zone.
 */
export function canonicalHost(text: string): string | undefined {
  const bare = withoutBrackets(text);
  if (isIP(bare) === 0 && /[\s/?#@\\:[\]]/.test(bare)) return undefined;
  const host = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : bare}/`)?.hostname ?? '';
  return withoutBrackets(host).replace(/\.$/, '') || undefined;
}

/** `::1` of `[::1]`; other texts as they are. */
export function withoutBrackets(text: string): string {
  return /^\[(.*)\]$/.exec(text)?.[1] ?? text;
}
