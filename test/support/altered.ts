/** The token with another first character in its last part; the last one would be in doubt, as base64 ignores some of its bits. */
export function altered(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}
