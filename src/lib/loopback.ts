/** Names of the machine itself. */

/** Whether the name of a host, with the brackets of IPv6 or without, is one by which a machine calls itself. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){1,3}|\[?::1\]?)$/i.test(hostname);
}
